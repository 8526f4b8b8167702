import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Runs a tool on an example; undefined where it is not installed. */
function check(
  tool: string,
  args: string[],
): { status: number | null; output: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' })
  return error ? undefined : { status, output: stdout + stderr }
}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'examples-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the examples for operators', () => {
  it.each(readdirSync('ops/systemd'))('%s is a good unit', (unit) => {
    // The tool wants the program of a unit to be there.
    const text = readFileSync(path.join('ops/systemd', unit), 'utf8')
    writeFileSync(path.join(folder, unit), text.replaceAll('/usr/bin/node', process.execPath))
    const result = check('systemd-analyze', ['verify', path.join(folder, unit)])
    expect(result?.output ?? '').not.toContain(`${unit}:`)
  })

  it('are a configuration that nginx takes', () => {
    const text = readFileSync('ops/nginx/profile-intelligence.conf', 'utf8')
    const certificates = path.resolve('test/photos/tls')
    const site = text
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificates}/photos.test.crt;`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificates}/photos.test.key;`)
    const file = path.join(folder, 'nginx.conf')
    const own = `pid ${folder}/nginx.pid; error_log ${folder}/error.log;`
    writeFileSync(file, `${own} events {} http { access_log off; ${site} }`)
    const result = check('nginx', ['-t', '-c', file])
    expect(result?.output ?? 'test is successful').toContain('test is successful')
  })

  it('are a configuration that Caddy takes', () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', 'ops/caddy/Caddyfile']
    const result = check('caddy', args)
    expect(result?.output ?? 'Valid configuration').toContain('Valid configuration')
  })

  it('name only settings that exist', () => {
    const known = readFileSync('docs/configuration.md', 'utf8')
    const files = ['docs/operating.md', 'compose.yaml', 'Dockerfile', 'Dockerfile.gpu']
    for (const file of files) {
      const named = readFileSync(file, 'utf8').matchAll(
        /\b(?:[A-Z]+_(?:DIR|PACK|PORT|TOKEN|FILE|DAYS|THREADS|GPU|BYTES|MS|URL|OFFLINE|FORMAT)|TRUST_PROXY)\b/g,
      )
      for (const [name] of named)
        expect([file, known.includes(`\`${name}\``), name]).toEqual([file, true, name])
    }
  })
})
