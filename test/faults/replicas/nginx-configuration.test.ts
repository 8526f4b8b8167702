import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { adaptNginxConfiguration } from '../../../src/tools/faults/replicas/environment/nginx-configuration.js'

const SHIPPED = readFileSync('ops/nginx/replicas.conf', 'utf8')
const PLACE = { folder: '/somewhere/nginx', port: 4_000, replicaPorts: [4_001, 4_002] }

const linesOf = (text: string, pattern: RegExp) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => pattern.test(line))

describe('the configuration of nginx for the fault suite', () => {
  const adapted = adaptNginxConfiguration(SHIPPED, PLACE)

  it('keeps every rule about replicas', () => {
    const rules = /^(?:proxy_(?!temp_path)|least_conn|zone|keepalive|client_max)/
    expect(linesOf(SHIPPED, rules).length).toBeGreaterThan(10)
    expect(linesOf(adapted, rules)).toEqual(linesOf(SHIPPED, rules))
  })

  it('names the replicas with the terms of the shipped ones', () => {
    expect(linesOf(adapted, /^server \d/)).toEqual([
      'server 127.0.0.1:4001 max_fails=2 fail_timeout=5s;',
      'server 127.0.0.1:4002 max_fails=2 fail_timeout=5s;',
    ])
  })

  it('listens without TLS, and writes into its own folder only', () => {
    expect(linesOf(adapted, /^listen/)).toEqual(['listen 127.0.0.1:4000;'])
    expect(linesOf(adapted, /^(?:ssl_|add_header)/)).toEqual([])
    const paths = [...adapted.matchAll(/ (\/\S+?);?(?= |;|\n)/g)].map(([, path]) => path!)
    const files = paths.filter((path) => path.length > 1 && path !== '/metrics')
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((path) => !path.startsWith('/somewhere/nginx/'))).toEqual([])
  })

  it.each([/^ *server [\d.]+:8080.*$/gm, /listen 8443 ssl/g, /^ *ssl_.*$|^ *add_header.*$/gm])(
    'refuses a text without %s',
    (part) => {
      expect(() => adaptNginxConfiguration(SHIPPED.replaceAll(part, ''), PLACE)).toThrow(
        'ops/nginx/replicas.conf',
      )
    },
  )
})
