/** A problem that the person who starts the demo can fix: printed as one line, without a stack. */
export class Mistake extends Error {}
