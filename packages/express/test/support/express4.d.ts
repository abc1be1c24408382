/** Express 4 under a name of its own. Its types would be those of another major; what the tests use is the same in both. */
declare module "express4" {
  import express from "express"
  export default express
}
