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
  /** What is wrong with a value, by the schema at a JSON pointer of the document; empty when nothing is. */
  check(pointer: readonly string[], value: unknown): string[]
  /** What is wrong with an answer: status, media type, headers or body. */
  checkAnswer(answer: ObservedAnswer): string[]
}

interface HeaderDescription {
  required: boolean
  schema: { type: string }
}

interface ResponseDescription {
  headers: Record<string, { $ref: string }>
  content: Record<string, unknown>
}

type Paths = Record<string, Record<string, { responses: Record<string, ResponseDescription> }>>

/** Holds answers against the document; objects may have no field that the document does not name. */
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
    return check(['components', 'headers', name, 'schema'], typed).map((why) => `${name}${why}`)
  }

  return {
    check,
    checkAnswer({ method, path, status, headers, body }) {
      const response = (document.paths as Paths)[path]?.[method]?.responses[status]
      if (!response) return [`${method} ${path} does not document ${status}`]
      const mediaType = headers.get('content-type')?.split(';')[0] ?? 'none'
      if (!(mediaType in response.content)) return [`${status} does not document ${mediaType}`]
      const place = ['paths', path, method, 'responses', String(status), 'content', mediaType]
      return [
        ...Object.keys(response.headers).flatMap((name) => checkHeader(name, headers)),
        ...check([...place, 'schema'], body),
      ]
    },
  }
}

/** Answers stay open for fields of later versions; what this version sends is documented to the last field. */
function closeObjects<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closeObjects) as T
  if (value === null || typeof value !== 'object') return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]),
  )
  const isOpen = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy)
  return (isOpen ? { ...copy, additionalProperties: false } : copy) as T
}
