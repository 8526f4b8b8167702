import { LIES, startLyingPhotoHost } from '../environment/lying-photo-host.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { Partner, type PartnerAnswer } from '../ledger/partner.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectLiveness } from './storage-expectations.js'
import { underTraffic } from './under-traffic.js'

const FETCH_TIMEOUT_MS = 3_000
/** The time limit of a photo, and the time to get at the gate. */
const GOOD_ANSWER_MS = FETCH_TIMEOUT_MS + 4_000
const EXPECTED = '400 photo_unavailable'

export const photoHostsLie: Scenario = {
  name: 'photo-hosts-lie',
  isInSelection: true,
  run: async (environment) => {
    const check = new Expectations()
    const host = await startLyingPhotoHost()
    const service = await environment.createService({
      env: {
        PHOTO_ALLOW_HTTP: 'true',
        PHOTO_ALLOW_CIDR: '127.0.0.1/32',
        PHOTO_FETCH_TIMEOUT_MS: String(FETCH_TIMEOUT_MS),
      },
    })
    const ledger = new Ledger()
    await service.start()
    const partner = new Partner(service, new Ledger())
    let slowestMs = 0
    const seen = await underTraffic(service, ledger, async () => {
      const answers = Object.keys(LIES).map(async (lie) => {
        const startedAt = performance.now()
        const answer = await sendPhoto(partner, `${host.baseUrl}/${lie}`)
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        check.expect(answer.outcome === EXPECTED, `a host that ${lie} gives ${answer.outcome}`)
      })
      await Promise.all(answers)
    })
    host.close()
    const others = [...seen.summary.outcomes.keys()].filter((outcome) => outcome !== '200')
    check.expect(others.length === 0, `calls with other photos got ${others.join(', ')}`)
    check.expect(slowestMs < GOOD_ANSWER_MS, `an answer took ${Math.round(slowestMs)} ms`)
    expectLiveness(check, seen.summary)
    return [
      await completeRow(service, ledger, {
        fault: 'Photo hosts that lie',
        injection: Object.keys(LIES).join(', '),
        partners: `${EXPECTED} within ${(slowestMs / 1_000).toFixed(1)} s; other calls: ${String(seen.summary)}`,
        operator: formatOperatorView(seen),
        recovery: 'nothing to do',
        deviations: check.deviations,
      }),
    ]
  },
}

function sendPhoto(partner: Partner, photo: string): Promise<PartnerAnswer> {
  const user = { photos: [photo], bio: 'A walker.' }
  const body = { user_a: { id: 'a', ...user }, user_b: { id: 'b', ...user } }
  return partner.post('/v1/match/evaluate', JSON.stringify(body), {
    'X-Service-Synthetic': 'never',
  })
}
