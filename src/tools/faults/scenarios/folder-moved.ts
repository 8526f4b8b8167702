import { renameSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectStorageTrouble } from './storage-expectations.js'
import { fillLedger, underTraffic } from './under-traffic.js'

const FAULT_MS = 2_500

/** Nothing in the new folder says that there was another one, so the second server starts; the first must notice. */
export const folderMoved: Scenario = {
  name: 'folder-moved',
  isInSelection: false,
  run: async (environment) => {
    const check = new Expectations()
    const service = await environment.createService()
    const { dataDir } = service
    const aside = `${dataDir}-aside`
    const ledger = new Ledger()
    await service.start()
    await fillLedger(service, ledger)
    const firstLine = service.log.length
    renameSync(dataDir, aside)
    const second = await environment.createService({ dataDir })
    const outcome = await second.tryStart()
    const observed = await underTraffic(service, ledger, () => sleep(FAULT_MS))
    // The server may have noticed before the first call.
    const seen = { ...observed, problems: service.log.problemsSince(firstLine) }
    expectStorageTrouble(check, seen)
    await service.stop()
    await second.stop()
    rmSync(dataDir, { recursive: true })
    renameSync(aside, dataDir)
    await service.start('alive')
    const view = formatOperatorView(seen)
    return [
      await completeRow(service, ledger, {
        fault: 'Data folder moved away under a running server',
        injection: 'mv DATA_DIR elsewhere; a second server starts on the same path',
        partners: `of the first server: ${String(seen.summary)}`,
        operator: `${view}; the second server ${outcome === 'listening' ? 'starts as a new installation' : 'does not start'}`,
        recovery: 'stop both, move the folder back, start',
        deviations: check.deviations,
      }),
    ]
  },
}
