/** Stands for `$app/env`: an application that runs. */
export const building = false
