import { useCallback, useEffect, useState } from 'preact/hooks'
import type { PlaygroundProps } from '../../pages/playground/playground-contract.js'
import { Announcements } from './announcements.js'
import { CallCard, FIRST_CHOICE, type CallChoice } from './call-card.js'
import type { Call } from './call.js'
import { CodeCard } from './code-card.js'
import { KeyCard } from './key-card.js'
import { inferRequest, matchRequest, openersRequest, type Person } from './person.js'
import { PersonCard } from './person-card.js'
import { ResultCard } from './result-card.js'
import { loadSample, SAMPLE_PEOPLE, type SamplePerson } from './sample-people.js'
import { useRun } from './use-run.js'

type People = readonly [Person, Person]

export function Playground({ props }: { props: PlaygroundProps }) {
  const [apiKey, setApiKey] = useState<string>()
  const [people, setPeople] = useState<People>()
  const [problem, setProblem] = useState<string>()
  const [choice, setChoice] = useState<CallChoice>(FIRST_CHOICE)
  const [announced, setAnnounced] = useState<string[]>([])
  const announce = useCallback((text: string) => setAnnounced((before) => [...before, text]), [])
  const { run, start, cancel } = useRun(announce)

  useEffect(() => {
    const [first, second] = SAMPLE_PEOPLE
    if (!first || !second) return
    Promise.all([loadSample(first), loadSample(second)]).then(setPeople, () =>
      setProblem('The sample profiles could not be loaded. Reload the page.'),
    )
  }, [])

  if (problem !== undefined) return <p class="notice danger">{problem}</p>
  if (!people) return <p class="muted">Loading the sample profiles …</p>

  const setPerson = (index: 0 | 1) => (person: Person) =>
    setPeople((before) => before && replace(before, index, person))
  const takeSample = (index: 0 | 1) => (sample: SamplePerson) => {
    loadSample(sample).then(setPerson(index), () =>
      setProblem('The sample profile could not be loaded. Reload the page.'),
    )
  }
  const call = callOf(choice, people)
  const isRunning = run?.state === 'running'
  return (
    <div class="playground">
      <KeyCard props={props} apiKey={apiKey} onKey={setApiKey} />
      {([0, 1] as const).map((index) => (
        <PersonCard
          key={index}
          title={index === 0 ? 'Sender' : 'Recipient'}
          person={people[index]}
          onChange={setPerson(index)}
          onSample={takeSample(index)}
        />
      ))}
      <CallCard
        choice={choice}
        names={[people[0].name, people[1].name]}
        isRunning={isRunning}
        obstacle={apiKey === undefined ? 'You need a test key first: see above.' : undefined}
        onChange={setChoice}
        onRun={() => {
          if (apiKey === undefined) return
          start(call, { apiKey, allowsSynthetic: choice.allowsSynthetic })
        }}
        onCancel={cancel}
      />
      <ResultCard
        run={run}
        errorMeanings={props.errorMeanings}
        onUsePreferences={(userId, { interests, lifestyle }) => {
          const index = people[0].id === userId ? 0 : 1
          setPerson(index)({
            ...people[index],
            interests: interests.join(', '),
            lifestyle: lifestyle.join(', '),
          })
          announce(`The preferences were added to the profile of ${people[index].name}.`)
        }}
      />
      <CodeCard call={call} />
      <Announcements texts={announced} />
    </div>
  )
}

function callOf(choice: CallChoice, people: People): Call {
  const { capability } = choice
  switch (capability) {
    case 'profile.infer_preferences':
      return { capability, body: inferRequest(people[choice.inferred]) }
    case 'match.evaluate':
      return { capability, body: matchRequest(...people) }
    case 'conversation.openers':
      return { capability, body: openersRequest(...people, choice) }
  }
}

function replace(people: People, index: 0 | 1, person: Person): People {
  return index === 0 ? [person, people[1]] : [people[0], person]
}
