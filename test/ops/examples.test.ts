import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { modelsCommand } from '../../src/cli/models-command.js'

/** Runs a tool on an example; undefined if it is not installed. */
function check(
  tool: string,
  args: string[],
): { status: number | null; output: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' })
  return error ? undefined : { status, output: stdout + stderr }
}

const UNITS = readdirSync('ops/systemd').filter((file) => /\.(?:service|timer)$/.test(file))
const WRAPPER = 'ops/systemd/profile-intelligence'

/** Values of a setting of a systemd unit, in order of precedence. */
function settingsOf(unit: string, name: string): string[] {
  const text = readFileSync(path.join('ops/systemd', unit), 'utf8')
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
}

/** Writes a script into the folder `bin`, which is first in the PATH of `runShell`. */
function writeProgram(name: string, lines: string): void {
  mkdirSync(path.join(folder, 'bin'), { recursive: true })
  writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
}

function runShell(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { PATH = '' } = process.env
  const env = { PATH: `${path.join(folder, 'bin')}:${PATH}`, ...options.env }
  const { status, stdout } = spawnSync('sh', args, { cwd: options.cwd, env, encoding: 'utf8' })
  return { status, lines: stdout.trim().split('\n') }
}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'examples-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the examples for operators', () => {
  it.each(UNITS)('%s is a valid unit', (unit) => {
    // systemd-analyze requires that the unit's program exists.
    const text = readFileSync(path.join('ops/systemd', unit), 'utf8')
    writeFileSync(path.join(folder, unit), text.replaceAll('/usr/bin/node', process.execPath))
    const result = check('systemd-analyze', ['verify', path.join(folder, unit)])
    expect(result?.output ?? '').not.toContain(`${unit}:`)
  })

  it('let the server lower the priority of its workers', () => {
    const filters = settingsOf('profile-intelligence.service', 'SystemCallFilter')
    const withoutResources = filters.findIndex((filter) => /^~.*@resources/.test(filter))
    expect(filters.slice(withoutResources + 1)).toContain('setpriority')
  })

  it('let the workers isolate themselves', () => {
    const unit = readFileSync('ops/systemd/profile-intelligence.service', 'utf8')
    expect(unit).toMatch(/^SystemCallFilter=seccomp$/m)
    expect(unit).toMatch(/^RestrictNamespaces=net user$/m)
  })

  it('bound the processes and the memory of the service', () => {
    const unit = readFileSync('ops/systemd/profile-intelligence.service', 'utf8')
    expect(unit).toMatch(/^TasksMax=\d+$/m)
    expect(unit).toMatch(/^MemoryMax=\d+%$/m)
    const compose = readFileSync('compose.yaml', 'utf8')
    expect(compose).toMatch(/^ {2}pids_limit: \d+$/m)
    expect(compose.match(/^ {4}mem_limit: \d+g$/gm)).toHaveLength(2)
  })

  it("run commands as the service's user with its settings, but write packs as root", () => {
    writeProgram('node', 'echo "$@"; env | grep -E "_(DIR|FILE)=" | sort; umask')
    writeProgram('runuser', 'echo "$1 $2"; shift 3; exec "$@"')
    const node = path.join(folder, 'bin', 'node')
    const wrapper = path.join(folder, 'profile-intelligence')
    writeFileSync(wrapper, readFileSync(WRAPPER, 'utf8').replaceAll('/usr/bin/node', node))
    const settings = settingsOf('profile-intelligence.service', 'Environment')
      .flatMap((line) => line.split(' '))
      .filter((setting) => /_(?:DIR|FILE)=/.test(setting))
    const main = '/opt/profile-intelligence/dist/main.js'

    expect(runShell([wrapper, 'admin', 'org', 'show', 'Acme Dating']).lines).toEqual([
      '--user profile-intelligence',
      `${main} admin org show Acme Dating`,
      ...settings.sort(),
      '0077',
    ])
    expect(runShell([wrapper, 'models', 'pull']).lines).toEqual([
      `${main} models pull`,
      ...settings,
      '0022',
    ])
  })

  it('pass the settings in compose.env to every container', () => {
    const compose = readFileSync('compose.yaml', 'utf8')
    expect(compose.match(/^ {2,4}env_file: \*settings$/gm)).toHaveLength(2)
    // `environment` overrides the file.
    expect(compose).not.toContain('${')
  })

  it('use a library for the installed CUDA version in the GPU image', () => {
    const dockerfile = readFileSync('Dockerfile.gpu', 'utf8')
    const [library = ''] = /node_modules\/\S+\/libggml-cuda\.so/.exec(dockerfile) ?? []
    const [, cuda] = /^FROM nvidia\/cuda:(\d+)\./m.exec(dockerfile) ?? []
    const needed = `libcudart.so.${cuda}`
    const result = existsSync(library) ? check('readelf', ['-d', library]) : undefined
    expect([library, result?.output ?? needed]).toEqual([
      expect.stringMatching(/./),
      expect.stringContaining(needed),
    ])
  })

  it('copy the packs of a new image into a volume with older ones', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8')
    const [, json = '[]'] = /AS models$[^]*?^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? []
    const [shell, ...script] = JSON.parse(json) as string[]
    expect(shell).toBe('sh')
    const image = path.join(folder, 'image')
    const volume = path.join(folder, 'volume')
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    write(path.join(image, 'models/pack/pack.json'), 'new')
    write(path.join(image, 'models/pack/prompts/opener.jinja'), 'new')
    write(path.join(volume, 'pack/pack.json'), 'old')
    write(path.join(volume, 'pack/prompts/opener.beginnings.json'), 'no more')
    write(path.join(volume, 'pack/model.gguf'), 'pulled')
    write(path.join(volume, 'own/prompts/opener.jinja'), 'own')
    writeProgram('node', 'echo "$@"')

    const { lines } = runShell([...script, 'pull'], { cwd: image, env: { MODELS_DIR: volume } })
    expect(lines).toEqual(['dist/main.js models pull'])
    expect(readFileSync(path.join(volume, 'pack/pack.json'), 'utf8')).toBe('new')
    const files = readdirSync(volume, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(volume, path.join(entry.parentPath, entry.name)))
    expect(files.sort()).toEqual([
      'own/prompts/opener.jinja',
      'pack/model.gguf',
      'pack/pack.json',
      'pack/prompts/opener.jinja',
    ])
  })

  it('are a configuration that nginx accepts', () => {
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

  it('are a configuration that Caddy accepts', () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', 'ops/caddy/Caddyfile']
    const result = check('caddy', args)
    expect(result?.output ?? 'Valid configuration').toContain('Valid configuration')
  })

  it('use only commands that exist', () => {
    const config = readConfig({})
    const known = { admin: adminCommand(config), models: modelsCommand(config) }
    let count = 0
    for (const file of ['docs/operating.md', 'ops/prometheus/alerts.yml']) {
      const text = readFileSync(file, 'utf8')
      // npm scripts exist only in a checkout; one line says how to run commands there.
      expect(text.match(/npm run (?:admin|models|reload)/g) ?? []).toHaveLength(
        file.endsWith('.md') ? 3 : 0,
      )
      const named = text.matchAll(
        /(?<=`|profile-intelligence |main\.js )(admin|models) ([a-z-]+)(?: ([a-z-]+))?/g,
      )
      for (const [line, group, ...words] of named) {
        let command: Command | undefined = known[group as keyof typeof known]
        for (const word of words) {
          if (!word || command?.commands.length === 0) break
          command = command?.commands.find((each) => each.name() === word)
        }
        expect([file, line, command?.name()]).toEqual([file, line, expect.any(String)])
        count += 1
      }
    }
    expect(count).toBeGreaterThan(15)
  })

  it('use only settings that exist', () => {
    const known = readFileSync('docs/configuration.md', 'utf8')
    const files = [
      'docs/operating.md',
      'docs/scaling.md',
      'compose.yaml',
      'compose.scale.yaml',
      'Dockerfile',
      'Dockerfile.gpu',
    ]
    for (const file of files) {
      const named = readFileSync(file, 'utf8').matchAll(
        /\b(?:[A-Z]+_(?:DIR|PACK|PORT|TOKEN|FILE|DAYS|THREADS|GPU|BYTES|MS|URL|OFFLINE|FORMAT)|TRUST_PROXY)\b/g,
      )
      for (const [name] of named)
        expect([file, known.includes(`\`${name}\``), name]).toEqual([file, true, name])
    }
  })
})
