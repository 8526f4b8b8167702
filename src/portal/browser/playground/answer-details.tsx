import { CopyButton } from './copy-button.js'
import type { Run } from './run.js'

/** Status, time and quota of an answer, from its headers. */
export function AnswerDetails({ run }: { run: Run }) {
  const { facts } = run
  if (!facts) return null
  const { quotaUsed, quotaIncluded } = facts
  return (
    <dl class="facts answer-facts">
      <Fact name="Status">{facts.status}</Fact>
      {run.milliseconds !== undefined && (
        <Fact name="Time">{run.milliseconds.toLocaleString('en')} ms in this browser</Fact>
      )}
      {facts.timings.length > 0 && (
        <Fact name="Server-Timing">
          {facts.timings
            .map(({ name, milliseconds }) => `${name} ${Math.round(milliseconds)} ms`)
            .join(', ')}
        </Fact>
      )}
      {facts.requestId !== undefined && (
        <Fact name="Request ID">
          <code>{facts.requestId}</code> <CopyButton text={facts.requestId} what="request ID" />
        </Fact>
      )}
      {quotaUsed !== undefined && quotaIncluded !== undefined && quotaIncluded > 0 && (
        <Fact name="Quota">
          {quotaUsed.toLocaleString('en')} of {quotaIncluded.toLocaleString('en')} test calls this
          month, plan {facts.plan}
          {facts.isQuotaWarned && ' (beyond the soft cap)'}
        </Fact>
      )}
      {facts.rateRemaining !== undefined && (
        <Fact name="Rate limit">{facts.rateRemaining.toLocaleString('en')} left this minute</Fact>
      )}
      {facts.isSynthetic && (
        <Fact name="Synthetic">
          Invented data, because of the photos or the content (
          <code>X-Service-Synthetic: true</code>)
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
