import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument } from '../../src/openapi/describe-api.js'

export interface ObservedAnswer {
  method: string
  path: string
  status: number
  headers: Headers
  body: unknown
}

export interface ApiValidator {
  /** Lists what violates the schema at a JSON pointer of the document. */
  check(pointer: readonly string[], value: unknown): string[]
  /** Lists what is undocumented about an answer: status, media type, headers or body. */
  checkAnswer(answer: ObservedAnswer): string[]
}

interface HeaderDescription {
  required: boolean
  schema: { type: string }
}

interface ResponseDescription {
  /** JSON pointer in the document. */
  pointer: string[]
  headers: Record<string, { $ref: string }>
  content: Record<string, unknown>
}

/** Creates a validator that refuses fields that the document does not name. */
export function createApiValidator(document: ApiDocument): ApiValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema(closeObjects(document), 'api')

  function check(pointer: readonly string[], value: unknown): string[] {
    const fragment = pointer.map((key) =>
      encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const validate = ajv.compile({ $ref: `api#/${fragment.join('/')}` })
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }

  function checkHeader(name: string, headers: Headers): string[] {
    const header = (document.components.headers as Record<string, HeaderDescription>)[name]!
    const value = headers.get(name)
    if (value === null) return header.required ? [`${name} is missing`] : []
    const typed = header.schema.type === 'integer' ? Number(value) : value
    return check(['components', 'headers', name, 'schema'], typed).map(
      (problem) => `${name}${problem}`,
    )
  }

  return {
    check,
    checkAnswer({ method, path, status, headers, body }) {
      const response = responseOf(document, ['paths', path, method, 'responses', String(status)])
      if (!response) return [`${method} ${path} does not document ${status}`]
      const mediaType = headers.get('content-type')?.split(';')[0] ?? 'none'
      if (!(mediaType in response.content)) return [`${status} does not document ${mediaType}`]
      return [
        ...Object.keys(response.headers).flatMap((name) => checkHeader(name, headers)),
        ...check([...response.pointer, 'content', mediaType, 'schema'], body),
      ]
    },
  }
}

/** The response at a JSON pointer, with a reference followed; undefined if it is not documented. */
function responseOf(document: ApiDocument, pointer: string[]): ResponseDescription | undefined {
  const found = pointer.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    document,
  ) as (ResponseDescription & { $ref?: string }) | undefined
  if (found?.$ref) return responseOf(document, found.$ref.split('/').slice(1))
  return found && { ...found, pointer }
}

/** Forbids undocumented fields. The document allows them for later versions, but this version sends none. */
function closeObjects<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closeObjects) as T
  if (value === null || typeof value !== 'object') return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]),
  )
  const isOpen = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy)
  return (isOpen ? { ...copy, additionalProperties: false } : copy) as T
}
