import { Template } from '@huggingface/jinja'
import { listTemplateNames } from './template-names.js'

/** A prompt file is not usable; the message names the file and what to change. */
export class PromptError extends Error {
  override readonly name = 'PromptError'
}

/** Jinja's own names; `loop` exists within `for`. */
const BUILT_IN =
  'true false none True False None range raise_exception strftime_now namespace loop caller'
const BUILT_INS: ReadonlySet<string> = new Set(BUILT_IN.split(' '))

/**
 * Compiles a Jinja template with `trim_blocks` and `lstrip_blocks`, as chat templates are.
 * @param file - name for messages
 * @param sample - an example value for every variable; properties of objects count as variables
 * @returns a function that renders the template and trims the result
 * @throws PromptError when the template is not valid, or uses a variable that is not in the sample, which Jinja would render as nothing
 */
export function compilePrompt(
  source: string,
  file: string,
  sample: Readonly<Record<string, unknown>>,
): (values: Record<string, unknown>) => string {
  try {
    const template = new Template(source)
    requireKnownNames(template, sample)
    template.render(sample)
    return (values) => template.render(values).trim()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be rendered'
    throw new PromptError(`The prompt file ${file} is not usable: ${reason}`, { cause })
  }
}

function requireKnownNames(template: Template, sample: Readonly<Record<string, unknown>>): void {
  const names = listTemplateNames(template)
  const known = new Set(Object.entries(sample).flatMap(([name, value]) => listPaths(name, value)))
  const unknown = [
    ...[...names.read].filter(
      (name) => !Object.hasOwn(sample, name) && !names.set.has(name) && !BUILT_INS.has(name),
    ),
    ...names.properties
      .filter(([object]) => isRecord(sample[object]) && !names.set.has(object))
      .map((path) => path.join('.'))
      .filter((path) => !known.has(path)),
  ]
  if (unknown.length === 0) return
  const list = [...known].join(', ')
  throw new PromptError(`it uses ${unknown.join(', ')}, but its variables are ${list}.`)
}

function listPaths(name: string, value: unknown): string[] {
  return isRecord(value) ? Object.keys(value).map((property) => `${name}.${property}`) : [name]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
