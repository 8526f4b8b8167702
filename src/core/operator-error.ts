/** A problem that the operator can mend; `message` says how. The program ends with exit code 1 and no stack. */
export class OperatorError extends Error {}
