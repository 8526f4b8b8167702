/** @typedef {Record<string, any>} Json */

/**
 * A schema as one object: references followed, parts of `allOf` merged; what stands beside a part wins over it.
 * @param {Json} document
 * @param {Json} schema
 * @returns {Json}
 */
export function flattenSchema(document, schema) {
  for (const keyword of ['anyOf', 'oneOf', 'not', 'if', 'prefixItems', 'patternProperties']) {
    if (keyword in schema) throw new Error(`Teach scripts/openapi to compare "${keyword}" first.`)
  }
  const { $ref, allOf = [], ...own } = schema
  const parts = [...($ref ? [lookUp(document, schema)] : []), ...allOf]
  return parts.reduce((whole, part) => merge(flattenSchema(document, part), whole), own)
}

/**
 * @param {Json} document
 * @param {Json} node
 * @returns {Json}
 */
export function lookUp(document, { $ref, ...node }) {
  if (!$ref) return node
  const keys = $ref.replace(/^#\//, '').split('/')
  return keys.reduce((/** @type {Json} */ value, /** @type {string} */ key) => value[key], document)
}

/**
 * @param {Json} part
 * @param {Json} own
 * @returns {Json}
 */
function merge(part, own) {
  const names = Object.keys({ ...part.properties, ...own.properties })
  const properties = Object.fromEntries(
    names.map((name) => {
      const [inner, outer] = [part.properties?.[name], own.properties?.[name]]
      const both = inner && outer && { ...outer, allOf: [inner, ...(outer.allOf ?? [])] }
      return [name, both ?? outer ?? inner]
    }),
  )
  const required = [...new Set([...(part.required ?? []), ...(own.required ?? [])])]
  return {
    ...part,
    ...own,
    ...(names.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}
