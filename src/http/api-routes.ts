import type { RequestHandler } from 'express'
import { reportEventsCall } from '../events/report-events.js'
import { evaluateMatchCall } from '../match/evaluate-match.js'
import { generateOpenersCall } from '../openers/generate-openers.js'
import { inferPreferencesCall } from '../preferences/infer-preferences.js'
import type { CallDefinition } from './call-definition.js'
import { serveCall, type CallServices } from './serve-call.js'

/** The calls of the interface by path, all by POST. */
export const API_ROUTES = {
  '/v1/profile/infer-preferences': route(inferPreferencesCall),
  '/v1/match/evaluate': route(evaluateMatchCall),
  '/v1/conversation/openers': route(generateOpenersCall),
  '/v1/events': route(reportEventsCall),
} as const

function route<Body, Result>(definition: CallDefinition<Body, Result>) {
  return {
    ...definition,
    serve: (services: CallServices): RequestHandler => serveCall(services, definition),
  }
}
