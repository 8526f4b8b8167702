import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DEFAULT_PLANS } from '../../metering/default-plans.js'
import { startService } from '../bench/service/start-service.js'
import { PROJECT_FOLDER } from '../project-folder.js'

/**
 * Lets schemathesis attack the compiled service over HTTP, with requests made from its own OpenAPI document and with
 * every check: no 5xx, no answer other than documented, no bad request accepted, no good one refused. Further
 * arguments are passed on. Exits with the exit code of schemathesis.
 */

const TIME_LIMIT_MS = 300_000
const EXAMPLES = 30

const filesDir = path.join(PROJECT_FOLDER, 'src', 'tools', 'checks', 'schemathesis')
const installDir = path.join(PROJECT_FOLDER, '.cache', 'schemathesis')

install()
process.exitCode = await attack()

/** Into a folder of its own, once for each list of versions. Needs pip and nothing else. */
function install() {
  const requirements = path.join(filesDir, 'requirements.txt')
  const installed = path.join(installDir, 'requirements.txt')
  const wanted = readFileSync(requirements, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  console.error('▸ Installing schemathesis …')
  rmSync(installDir, { recursive: true, force: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', installDir, '-r', requirements]
  execFileSync('python3', pip, { stdio: 'inherit' })
  writeFileSync(installed, wanted)
}

async function attack(): Promise<number> {
  const workDir = mkdtempSync(path.join(os.tmpdir(), 'profile-service-schemathesis-'))
  const plansFile = path.join(workDir, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(unlimitedPlans()))
  // The photos that it invents are nowhere: what is looked up and asked for them is given up soon.
  const server = await startService({ PLANS_FILE: plansFile, PHOTO_FETCH_TIMEOUT_MS: '1000' })
  try {
    return await runSchemathesis(server, await makeCall(server))
  } finally {
    await server.close()
    rmSync(workDir, { recursive: true, force: true })
  }
}

/** The usual plans, with a rate limit that no run reaches. */
function unlimitedPlans(): unknown {
  return JSON.parse(JSON.stringify(DEFAULT_PLANS), (key, value: unknown) =>
    key === 'requests_per_minute' ? 100_000 : value,
  )
}

/** Makes a call that events can refer to. */
async function makeCall({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<string> {
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
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  answeredRequestId: string,
): Promise<number> {
  const child = spawn(
    'python3',
    [
      path.join(installDir, 'bin', 'schemathesis'),
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
      // Where it would leave its database of examples and reports.
      cwd: installDir,
      env: {
        ...process.env,
        PYTHONPATH: installDir,
        SCHEMATHESIS_HOOKS: path.join(filesDir, 'hooks.py'),
        ANSWERED_REQUEST_ID: answeredRequestId,
      },
    },
  )
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
