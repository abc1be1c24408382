/** What whoever starts the demo can mend: told as one line, without a stack. */
export class Mistake extends Error {}
