import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RequestHandler } from 'express'

/** Where the build puts the assets; the same relative path from src/portal (under jest) and from dist/portal. */
const FOLDER = new URL('../../dist/portal/assets/', import.meta.url)
const YEAR_SECONDS = 365 * 24 * 60 * 60

interface Asset {
  type: string
  /** By content coding, smallest first; photos are not compressed. */
  bytes: { br?: Buffer; gzip?: Buffer; identity: Buffer }
}

export interface Assets {
  /** URL of a built file by the name of its source, such as `portal.css`. */
  urlOf: (source: string) => string
  serve: RequestHandler
}

/**
 * Loads the portal's scripts, style sheet and photos into memory: they are small, and a rebuild while the server runs
 * does not affect them. File names contain a hash of the content, so browsers may cache them forever.
 */
export function openAssets(): Assets {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Record<
    string,
    string
  >
  const files = new Map(
    readdirSync(FOLDER)
      .filter((name) => path.extname(name) in TYPES)
      .map((name) => [name, readAsset(name)]),
  )
  return {
    urlOf: (source) => {
      const name = manifest[source]
      if (name === undefined) throw new Error(`The portal has no asset ${source}`)
      return `/portal/assets/${name}`
    },
    serve: (request, response, next) => {
      const asset = files.get(String(request.params.name))
      if (!asset) return next()
      const coding = request.acceptsEncodings(Object.keys(asset.bytes)) || 'identity'
      if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
      response.setHeader('Vary', 'Accept-Encoding')
      response.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
      response.type(asset.type).send(asset.bytes[coding as keyof Asset['bytes']])
    },
  }
}

const TYPES: Record<string, string> = { '.js': 'js', '.css': 'css', '.jpg': 'jpeg' }

function readAsset(name: string): Asset {
  const type = TYPES[path.extname(name)] ?? ''
  const read = (suffix: string) => readFileSync(new URL(name + suffix, FOLDER))
  const identity = read('')
  if (type === 'jpeg') return { type, bytes: { identity } }
  return { type, bytes: { br: read('.br'), gzip: read('.gz'), identity } }
}
