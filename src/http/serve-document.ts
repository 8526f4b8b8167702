import type { RequestHandler } from 'express'
import type { ApiDocument } from '../openapi/describe-api.js'

/** `/openapi.json`: the same bytes for everybody, made once. */
export function serveDocument(document: ApiDocument): RequestHandler {
  const json = Buffer.from(JSON.stringify(document))
  return (_request, response) => {
    response.type('application/json').send(json)
  }
}
