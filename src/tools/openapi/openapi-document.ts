/** The parts of an OpenAPI 3.1 document that are compared. */
export interface OpenApiDocument {
  paths: Record<string, PathItem>
  /** Of operations without their own. */
  security?: unknown
  [field: string]: unknown
}

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const
export type Method = (typeof METHODS)[number]

export interface PathItem extends Partial<Record<Method, Operation>> {
  parameters?: (Parameter | Reference)[]
}

export interface Operation {
  operationId?: string
  security?: unknown
  parameters?: (Parameter | Reference)[]
  requestBody?: { content?: Record<string, MediaType> }
  responses?: Record<string, ResponseObject | Reference>
}

export interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: Schema
}

export interface ResponseObject {
  headers?: Record<string, Header | Reference>
  content?: Record<string, MediaType>
}

export interface Header {
  required?: boolean
  schema: Schema
}

export interface MediaType {
  schema: Schema
  /** Schemas of the events of a stream. */
  'x-events'?: Record<string, Schema>
}

export interface Schema extends Partial<Reference> {
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  [keyword: string]: unknown
}

export interface Reference {
  /** A JSON pointer such as `#/components/schemas/User`. */
  $ref: string
}

/** Follows a reference; returns other nodes unchanged. */
export function resolve<T extends object>(document: OpenApiDocument, node: T | Reference): T {
  if (!('$ref' in node)) return node
  const keys = node.$ref.replace(/^#\//, '').split('/')
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key],
    document,
  ) as T
}
