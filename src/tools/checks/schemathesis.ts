import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DEFAULT_PLANS } from '../../metering/default-plans.js'
import { startService, type ServiceAddress } from '../bench/service/start-service.js'
import { PROJECT_FOLDER } from '../project-folder.js'

/**
 * Tests the service over HTTP with schemathesis, which generates requests from the OpenAPI document. All its checks are on:
 * no 5xx, no undocumented answer, no invalid request accepted, no valid one refused. Passes further arguments on and exits
 * with the status of schemathesis.
 */

const TIME_LIMIT_MS = 300_000
const EXAMPLES = 30

const filesFolder = path.join(PROJECT_FOLDER, 'src', 'tools', 'checks', 'schemathesis')
const installFolder = path.join(PROJECT_FOLDER, '.cache', 'schemathesis')

install()
process.exitCode = await testService()

/** Installs schemathesis in its own folder, again whenever the list of versions changes. Needs only pip. */
function install(): void {
  const requirements = path.join(filesFolder, 'requirements.txt')
  const installed = path.join(installFolder, 'requirements.txt')
  const versions = readFileSync(requirements, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === versions) return
  console.error('▸ Installing schemathesis …')
  rmSync(installFolder, { recursive: true, force: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', installFolder, '-r', requirements]
  execFileSync('python3', pip, { stdio: 'inherit' })
  writeFileSync(installed, versions)
}

/** Returns the exit status of schemathesis. */
async function testService(): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-schemathesis-'))
  const plansFile = path.join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(withoutRateLimit(DEFAULT_PLANS)))
  // Generated photo URLs lead nowhere: a short timeout keeps the run short.
  const service = await startService({ PLANS_FILE: plansFile, PHOTO_FETCH_TIMEOUT_MS: '1000' })
  try {
    return await runSchemathesis(service, await requestOpeners(service))
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function withoutRateLimit(plans: object): unknown {
  return JSON.parse(JSON.stringify(plans), (key, value: unknown) =>
    key === 'requests_per_minute' ? 100_000 : value,
  )
}

/** Makes a call that events can refer to. Returns its request id. */
async function requestOpeners({ baseUrl, apiKey }: ServiceAddress): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/conversation/openers`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      sender: { id: 's', name: 'Sam' },
      recipient: { id: 'r', photos: ['https://photos.invalid/r.jpg'], bio: 'A potter.' },
      count: 5,
    }),
  })
  const { request_id } = (await response.json()) as { request_id: string }
  return request_id
}

function runSchemathesis(
  { baseUrl, apiKey }: ServiceAddress,
  answeredRequestId: string,
): Promise<number> {
  const child = spawn(
    'python3',
    [
      path.join(installFolder, 'bin', 'schemathesis'),
      'run',
      `${baseUrl}/openapi.json`,
      `--header=Authorization: Bearer ${apiKey}`,
      '--checks=all',
      `--max-examples=${EXAMPLES}`,
      '--seed=1',
      '--continue-on-failure',
      ...process.argv.slice(2),
    ],
    {
      stdio: 'inherit',
      timeout: TIME_LIMIT_MS,
      // It leaves its database of examples and its reports in the working directory.
      cwd: installFolder,
      env: {
        ...process.env,
        PYTHONPATH: installFolder,
        SCHEMATHESIS_HOOKS: path.join(filesFolder, 'hooks.py'),
        ANSWERED_REQUEST_ID: answeredRequestId,
      },
    },
  )
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
