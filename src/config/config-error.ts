import { OperatorError } from '../core/operator-error.js'

/** The configuration is invalid; `message` lists every problem, one per line. */
export class ConfigError extends OperatorError {}
