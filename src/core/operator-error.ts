/** A problem that the operator can fix; `message` says how. The program exits with code 1 and prints no stack. */
export class OperatorError extends Error {}
