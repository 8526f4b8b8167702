import { OperatorError } from '../core/operator-error.js'

/** The environment does not fit the schema; `message` lists every problem, one a line. */
export class ConfigError extends OperatorError {}
