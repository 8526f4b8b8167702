import { flattenSchema, lookUp } from './flatten-schema.js'

/** @typedef {Record<string, any>} Json */
/** @typedef {'request' | 'answer'} Direction */
/**
 * The same part of two documents, before and after.
 * @typedef {{ was: Json, is: Json }} Pair
 */

const METHODS = ['get', 'put', 'post', 'delete', 'patch']
const EXACT = ['type', 'format', 'pattern', 'const']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']

/**
 * What a change of an OpenAPI document takes away from those who use the interface, one line a finding. Requests must
 * stay accepted and answers must stay what they were; paths, fields, headers, codes and values may be added.
 *
 * The differs on npm either do not know OpenAPI 3.1 or take another type in an answer for harmless.
 * @param {object} before - the document whose promises have to be kept
 * @param {object} after
 * @returns {string[]}
 */
export function listBreakingChanges(before, after) {
  const documents = { was: /** @type {Json} */ (before), is: /** @type {Json} */ (after) }
  return Object.entries(documents.was.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).flatMap((method) => {
      const other = documents.is.paths[path]
      const place = `${method.toUpperCase()} ${path}`
      if (!other?.[method]) return [`${place} is gone`]
      return compareOperations(documents, {
        was: operationOf(documents.was, item, method),
        is: operationOf(documents.is, other, method),
      }).map((finding) => `${place}: ${finding}`)
    }),
  )
}

/**
 * @param {Json} document
 * @param {Json} item
 * @param {string} method
 */
function operationOf(document, item, method) {
  const operation = item[method]
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  return {
    ...operation,
    security: JSON.stringify(operation.security ?? document.security),
    parameters: Object.fromEntries(
      parameters
        .map((parameter) => lookUp(document, parameter))
        .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
    ),
  }
}

/**
 * @param {Pair} documents
 * @param {Pair} operations
 * @returns {string[]}
 */
function compareOperations(documents, { was, is }) {
  const changed = ['operationId', 'security'].filter((field) => was[field] !== is[field])
  const demanded = Object.entries(is.parameters)
    .filter(([name, { required }]) => required && !was.parameters[name]?.required)
    .map(([name]) => `${name} has become required`)
  return [
    ...changed.map((field) => `${field} has changed`),
    ...demanded,
    ...compareEach('', was.parameters, is.parameters, (name, pair) =>
      compareSchemas(documents, 'request', name, schemasOf(pair)),
    ),
    ...compareEach('body as ', was.requestBody?.content, is.requestBody?.content, (name, pair) =>
      compareSchemas(documents, 'request', 'body', schemasOf(pair)),
    ),
    ...compareEach('status ', was.responses, is.responses, (status, pair) =>
      compareResponses(documents, {
        was: lookUp(documents.was, pair.was),
        is: lookUp(documents.is, pair.is),
      }).map((finding) => `${status}: ${finding}`),
    ),
  ]
}

/**
 * @param {Pair} documents
 * @param {Pair} responses
 * @returns {string[]}
 */
function compareResponses(documents, { was, is }) {
  return [
    ...compareEach('header ', was.headers, is.headers, (name, pair) => {
      const header = { was: lookUp(documents.was, pair.was), is: lookUp(documents.is, pair.is) }
      const findings = compareSchemas(documents, 'answer', `header ${name}`, schemasOf(header))
      if (!header.was.required || header.is.required) return findings
      return [...findings, `header ${name} may be missing`]
    }),
    ...compareEach('', was.content, is.content, (_type, pair) => [
      ...compareSchemas(documents, 'answer', 'answer', schemasOf(pair)),
      ...compareEach('event ', pair.was['x-events'], pair.is['x-events'], (event, schemas) =>
        compareSchemas(documents, 'answer', `event ${event}`, schemas),
      ),
    ]),
  ]
}

/** @param {Pair} pair */
function schemasOf({ was, is }) {
  return { was: was.schema, is: is.schema }
}

/**
 * Compares what has the same name; a name that is gone is a finding, a new one is none.
 * @param {string} kind
 * @param {Json | undefined} was
 * @param {Json | undefined} is
 * @param {(name: string, pair: Pair) => string[]} compare
 * @returns {string[]}
 */
function compareEach(kind, was = {}, is = {}, compare) {
  return Object.keys(was).flatMap((name) =>
    name in is ? compare(name, { was: was[name], is: is[name] }) : [`${kind}${name} is gone`],
  )
}

/**
 * @param {Pair} documents
 * @param {Direction} direction
 * @param {string} place
 * @param {Pair} schemas
 * @returns {string[]}
 */
function compareSchemas(documents, direction, place, schemas) {
  const was = flattenSchema(documents.was, schemas.was)
  const is = flattenSchema(documents.is, schemas.is)
  // Whatever is sent has to fit what the other side was told: old requests the new schema, new answers the old one.
  const [sent, told] = direction === 'request' ? [was, is] : [is, was]
  const looser = [
    ...EXACT.filter((rule) => told[rule] !== undefined && sent[rule] !== told[rule]),
    ...UPPER.filter((rule) => told[rule] !== undefined && !(sent[rule] <= told[rule])),
    ...LOWER.filter((rule) => told[rule] !== undefined && !(sent[rule] >= told[rule])),
    ...(told.additionalProperties === false && sent.additionalProperties !== false
      ? ['additionalProperties']
      : []),
  ].map((rule) => `${place}: ${rule} ${show(was[rule])} → ${show(is[rule])}`)
  const optional = direction === 'request' ? 'has become required' : 'may be missing'
  return [
    ...looser,
    ...compareValues(place, was, is),
    ...(told.required ?? [])
      .filter((/** @type {string} */ field) => !sent.required?.includes(field))
      .map((/** @type {string} */ field) => `${place}.${field} ${optional}`),
    ...compareEach(`${place}.`, was.properties, is.properties, (field, pair) =>
      compareSchemas(documents, direction, `${place}.${field}`, pair),
    ),
    ...compareEach(`${place}: `, pick(was, 'items'), pick(is, 'items'), (_items, pair) =>
      compareSchemas(documents, direction, `${place}[]`, pair),
    ),
  ]
}

/**
 * Values may be added in answers as well, as the documentation warns; none may go.
 * @param {string} place
 * @param {Json} was
 * @param {Json} is
 * @returns {string[]}
 */
function compareValues(place, was, is) {
  if (!is.enum) return []
  if (!was.enum) return [`${place}: enum – → ${show(is.enum)}`]
  return was.enum
    .filter((/** @type {unknown} */ value) => !is.enum.includes(value))
    .map((/** @type {unknown} */ value) => `${place}: the value ${show(value)} is gone`)
}

/**
 * @param {Json} schema
 * @param {string} field
 */
function pick(schema, field) {
  return schema[field] === undefined ? {} : { [field]: schema[field] }
}

/** @param {unknown} value */
function show(value) {
  return value === undefined ? '–' : JSON.stringify(value)
}
