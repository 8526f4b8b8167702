import { EngineError } from '../../../src/inference/engines/engine-error.js'
import { EnginePool } from '../../../src/inference/engines/engine-pool.js'
import { reportEngines } from '../../../src/inference/report-engines.js'
import { createMetrics } from '../../../src/telemetry/metrics.js'
import { until } from '../workers/_fixture-host.js'

const away = () => Promise.reject(new EngineError('connection', 'cannot be reached'))

it('shows in the metrics which engine serves, works, fails and is ejected', async () => {
  const metrics = createMetrics()
  let broken: string | undefined
  const answer = async ({ name }: { name: string }) => (name === broken ? away() : undefined)
  const pool: EnginePool<{ name: string }> = new EnginePool({
    engines: [{ name: 'first' }, { name: 'second' }],
    verify: answer,
    check: answer,
    report: reportEngines('vision', metrics, () => pool.load),
    times: { checkMs: 60_000, retryMs: 60_000 },
  })
  const values = async (pattern: RegExp) =>
    (await metrics.read()).split('\n').filter((line) => pattern.test(line))
  try {
    await pool.start()
    await until(() => pool.serving === 2)
    expect(await values(/^pis_engines\{.* 1$/)).toEqual([
      'pis_engines{role="vision",engine="1",state="serving"} 1',
      'pis_engines{role="vision",engine="2",state="serving"} 1',
    ])
    const { signal } = new AbortController()
    let finish = () => {}
    const held = new Promise<void>((resolve) => (finish = resolve))
    const call = pool.run(() => held, { signal })
    await Promise.resolve()
    const inProgress = (await values(/^pis_engine_calls_in_progress/)).map((line) => line.at(-1))
    expect(new Set(inProgress)).toEqual(new Set(['0', '1']))
    finish()
    await call

    broken = 'first'
    // It is tried until it is ejected; each call is answered all the same.
    while (pool.serving === 2) await pool.run(answer, { signal })
    expect(await values(/^pis_engines\{.* 1$/)).toEqual([
      'pis_engines{role="vision",engine="1",state="away"} 1',
      'pis_engines{role="vision",engine="2",state="serving"} 1',
    ])
    expect(await values(/^pis_engine_(?:events|retries)/)).toEqual(
      expect.arrayContaining([
        'pis_engine_events_total{role="vision",engine="1",event="ejected"} 1',
        'pis_engine_retries_total{role="vision"} 1',
      ]),
    )
    expect(await values(/^pis_engine_call_duration_seconds_count\{.*connection/)).toEqual([
      'pis_engine_call_duration_seconds_count{role="vision",engine="1",outcome="connection"} 1',
    ])
  } finally {
    pool.close()
  }
})
