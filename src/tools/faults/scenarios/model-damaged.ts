import { cpSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatWait, waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectDiagnosis } from './storage-expectations.js'
import { expectModelTrouble } from './worker-expectations.js'
import { underTraffic } from './under-traffic.js'

const PACKS = [
  'clip-lite',
  'open-nsfw',
  'bio-safety-e5-small',
  'match-minilm',
  'smollm2-135m-openers',
]
const DAMAGED = path.join('clip-lite', 'onnx', 'vision_model.onnx')
const FAILURE_LIMIT_MS = 30_000
const RECOVERY_LIMIT_MS = 60_000

export const modelDamaged: Scenario = {
  name: 'model-damaged',
  isInSelection: false,
  run: async (environment) => {
    const check = new Expectations()
    const models = path.join(environment.folder, 'models')
    for (const pack of PACKS) copyPack(pack, models)
    const file = path.join(models, DAMAGED)
    renameSync(file, `${file}.sound`)
    cpSync(`${file}.sound`, file)
    truncateSync(file, Math.floor(statSync(file).size / 2))
    const service = await environment.createService({ env: { MODELS_DIR: models } })
    const ledger = new Ledger()
    const outcome = await service.tryStart()
    const isListening = outcome === 'listening'
    const message = isListening ? undefined : outcome.output
    const diagnoses = await service.diagnose()
    expectDiagnosis(check, diagnoses, /clip-lite/)
    if (message !== undefined) check.expect(/clip-lite/.test(message), 'the refusal names no pack')
    let partners = 'nothing answers'
    let view = formatOperatorView({ message: message ?? '', diagnoses })
    if (isListening) {
      const seen = await underTraffic(
        service,
        ledger,
        () => waitUntil(() => service.log.problemsSince().size > 0, FAILURE_LIMIT_MS),
        { isReal: true },
      )
      expectModelTrouble(check, seen)
      check.expect(seen.summary.readiness.has(503), '/readyz stayed 200')
      partners = String(seen.summary)
      view = formatOperatorView({ ...seen, diagnoses })
      await service.kill()
    }
    rmSync(file)
    renameSync(`${file}.sound`, file)
    await service.start('alive')
    const took = await service.waitUntilReady(RECOVERY_LIMIT_MS)
    check.expect(took !== undefined, 'not ready with the sound file')
    return [
      await completeRow(service, ledger, {
        fault: 'Model file damaged',
        injection: `${DAMAGED} is cut to half before the start`,
        partners,
        operator: view,
        recovery: `pull the pack again, start (ready after ${formatWait(took, RECOVERY_LIMIT_MS)})`,
        deviations: check.deviations,
      }),
    ]
  },
}

/** A pack whose files may be damaged. Its lock of hashes comes with it. */
function copyPack(name: string, models: string): void {
  cpSync(path.join(PROJECT_FOLDER, 'models', name), path.join(models, name), { recursive: true })
  writeFileSync(path.join(models, '.keep'), '')
}
