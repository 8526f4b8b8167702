import { flattenSchema } from './flatten-schema.js'
import {
  METHODS,
  resolve,
  type Header,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  type ResponseObject,
  type Schema,
} from './openapi-document.js'

/** The same part of two documents. */
interface Change<T> {
  before: T
  after: T
}
type Documents = Change<OpenApiDocument>

/** An operation with its parameters by place and name. */
interface ResolvedOperation extends Omit<Operation, 'parameters' | 'security'> {
  parameters: Record<string, Parameter>
  security: string
}

type Direction = 'request' | 'answer'

const EQUAL_KEYWORDS = ['type', 'format', 'pattern', 'const']
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']
const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']

/**
 * Lists what a change of an OpenAPI document takes away from programs that use the interface, one line for each finding.
 * The service must keep accepting old requests and returning answers that old programs can read; paths, fields, headers,
 * codes and values may be added.
 *
 * The packages on npm that compare documents do not support OpenAPI 3.1 or accept another type in an answer.
 * @param before - the document that partners rely on
 */
export function listBreakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const documents = { before, after }
  return Object.entries(before.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).flatMap((method) => {
      const other = after.paths[path]
      const place = `${method.toUpperCase()} ${path}`
      if (!other?.[method]) return [`${place} is gone`]
      const operations = {
        before: resolveOperation(before, item, method),
        after: resolveOperation(after, other, method),
      }
      return compareOperations(documents, operations).map((finding) => `${place}: ${finding}`)
    }),
  )
}

function resolveOperation(
  document: OpenApiDocument,
  item: PathItem,
  method: Method,
): ResolvedOperation {
  const operation = item[method]!
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    .map((parameter) => resolve(document, parameter))
    .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])
  return {
    ...operation,
    security: JSON.stringify(operation.security ?? document.security),
    parameters: Object.fromEntries(parameters),
  }
}

function compareOperations(
  documents: Documents,
  { before, after }: Change<ResolvedOperation>,
): string[] {
  const changed = (['operationId', 'security'] as const).filter(
    (field) => before[field] !== after[field],
  )
  const newlyRequired = Object.entries(after.parameters)
    .filter(([name, { required }]) => required && !before.parameters[name]?.required)
    .map(([name]) => `${name} has become required`)
  return [
    ...changed.map((field) => `${field} has changed`),
    ...newlyRequired,
    ...compareEach('', before.parameters, after.parameters, (name, change) =>
      compareSchemas(documents, 'request', name, schemasOf(change)),
    ),
    ...compareEach(
      'body as ',
      before.requestBody?.content,
      after.requestBody?.content,
      (_type, change) => compareSchemas(documents, 'request', 'body', schemasOf(change)),
    ),
    ...compareEach('status ', before.responses, after.responses, (status, change) =>
      compareResponses(documents, resolveBoth<ResponseObject>(documents, change)).map(
        (finding) => `${status}: ${finding}`,
      ),
    ),
  ]
}

function compareResponses(
  documents: Documents,
  { before, after }: Change<ResponseObject>,
): string[] {
  return [
    ...compareEach('header ', before.headers, after.headers, (name, change) => {
      const header = resolveBoth<Header>(documents, change)
      const findings = compareSchemas(documents, 'answer', `header ${name}`, schemasOf(header))
      if (!header.before.required || header.after.required) return findings
      return [...findings, `header ${name} may be missing`]
    }),
    ...compareEach('', before.content, after.content, (_type, content) => [
      ...compareSchemas(documents, 'answer', 'answer', schemasOf(content)),
      ...compareEach(
        'event ',
        content.before['x-events'],
        content.after['x-events'],
        (event, schemas) => compareSchemas(documents, 'answer', `event ${event}`, schemas),
      ),
    ]),
  ]
}

function resolveBoth<T extends object>(
  documents: Documents,
  { before, after }: Change<T | Reference>,
): Change<T> {
  return { before: resolve(documents.before, before), after: resolve(documents.after, after) }
}

function schemasOf({ before, after }: Change<{ schema: Schema }>): Change<Schema> {
  return { before: before.schema, after: after.schema }
}

/** Compares values of the same name; a missing name is a finding, a new one is not. */
function compareEach<T>(
  kind: string,
  before: Readonly<Record<string, T>> | undefined = {},
  after: Readonly<Record<string, T>> | undefined = {},
  compare: (name: string, change: Change<T>) => string[],
): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const other = after[name]
    return other === undefined
      ? [`${kind}${name} is gone`]
      : compare(name, { before: value, after: other })
  })
}

function compareSchemas(
  documents: Documents,
  direction: Direction,
  place: string,
  schemas: Change<Schema>,
): string[] {
  const before = flattenSchema(documents.before, schemas.before)
  const after = flattenSchema(documents.after, schemas.after)
  // Old requests must be valid by the new schema, new answers by the old one.
  const [sent, expected] = direction === 'request' ? [before, after] : [after, before]
  const optional = direction === 'request' ? 'has become required' : 'may be missing'
  return [
    ...listViolatedKeywords(sent, expected).map(
      (keyword) => `${place}: ${keyword} ${show(before[keyword])} → ${show(after[keyword])}`,
    ),
    ...compareValues(place, before, after),
    ...(expected.required ?? [])
      .filter((field) => !sent.required?.includes(field))
      .map((field) => `${place}.${field} ${optional}`),
    ...compareEach(`${place}.`, before.properties, after.properties, (field, change) =>
      compareSchemas(documents, direction, `${place}.${field}`, change),
    ),
    ...compareEach(`${place}: `, pickItems(before), pickItems(after), (_items, change) =>
      compareSchemas(documents, direction, `${place}[]`, change),
    ),
  ]
}

/** Keywords by which a value that is valid for `sent` may be invalid for `expected`. */
function listViolatedKeywords(sent: Schema, expected: Schema): string[] {
  const isLimited = (keyword: string) => expected[keyword] !== undefined
  const limits = (keyword: string) => [Number(sent[keyword]), Number(expected[keyword])] as const
  return [
    ...EQUAL_KEYWORDS.filter(
      (keyword) => isLimited(keyword) && sent[keyword] !== expected[keyword],
    ),
    // A missing limit is NaN, which no comparison accepts.
    ...UPPER_LIMITS.filter((keyword) => {
      const [own, limit] = limits(keyword)
      return isLimited(keyword) && !(own <= limit)
    }),
    ...LOWER_LIMITS.filter((keyword) => {
      const [own, limit] = limits(keyword)
      return isLimited(keyword) && !(own >= limit)
    }),
    ...(expected.additionalProperties === false && sent.additionalProperties !== false
      ? ['additionalProperties']
      : []),
  ]
}

/** Answers may get new values too, as the documentation warns; no value may go. */
function compareValues(place: string, before: Schema, after: Schema): string[] {
  const { enum: values } = after
  if (!values) return []
  if (!before.enum) return [`${place}: enum – → ${show(values)}`]
  return before.enum
    .filter((value) => !values.includes(value))
    .map((value) => `${place}: the value ${show(value)} is gone`)
}

function pickItems({ items }: Schema): Record<string, Schema> {
  return items === undefined ? {} : { items }
}

function show(value: unknown): string {
  return value === undefined ? '–' : JSON.stringify(value)
}
