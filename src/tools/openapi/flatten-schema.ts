import { resolve, type OpenApiDocument, type Schema } from './openapi-document.js'

const UNSUPPORTED = ['anyOf', 'oneOf', 'not', 'if', 'prefixItems', 'patternProperties']

/**
 * Merges a schema with its reference and its `allOf` into one object; a keyword of the schema itself wins.
 * @throws for keywords that cannot be merged
 */
export function flattenSchema(document: OpenApiDocument, schema: Schema): Schema {
  const unsupported = UNSUPPORTED.find((keyword) => keyword in schema)
  if (unsupported) throw new Error(`flattenSchema does not support "${unsupported}" yet.`)
  const { $ref, allOf = [], ...own } = schema
  const parts = $ref === undefined ? allOf : [resolve<Schema>(document, { $ref }), ...allOf]
  return parts.reduce<Schema>((whole, part) => merge(flattenSchema(document, part), whole), own)
}

function merge(part: Schema, own: Schema): Schema {
  const names = Object.keys({ ...part.properties, ...own.properties })
  const properties = names.map((name) => [
    name,
    mergeProperty(part.properties?.[name], own.properties?.[name]),
  ])
  const required = new Set([...(part.required ?? []), ...(own.required ?? [])])
  return {
    ...part,
    ...own,
    ...(names.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.size > 0 && { required: [...required] }),
  }
}

function mergeProperty(part: Schema | undefined, own: Schema | undefined): Schema | undefined {
  if (!part || !own) return own ?? part
  return { ...own, allOf: [part, ...(own.allOf ?? [])] }
}
