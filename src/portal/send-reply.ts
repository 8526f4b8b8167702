import type { Response } from 'express'
import { renderToString } from 'preact-render-to-string'
import type { Reply } from './reply.js'

export function sendReply(response: Response, reply: Reply): void {
  switch (reply.kind) {
    case 'page':
      response
        .status(reply.status)
        .type('html')
        .send(`<!doctype html>\n${renderToString(reply.document)}\n`)
      return
    case 'redirect':
      response.redirect(303, reply.location)
      return
    case 'download':
      response.attachment(reply.filename)
      response.setHeader('Content-Type', reply.type)
      response.send(reply.content)
      return
    case 'json':
      response.json(reply.body)
  }
}
