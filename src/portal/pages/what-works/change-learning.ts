import { changeLearning, type LearningChange } from '../../../learning/change-settings.js'
import { CONTROL_PERCENT, LEARNING_STATES } from '../../../learning/learning-settings.js'
import { ENVIRONMENTS } from '../../../organizations/capability.js'
import { Refusal } from '../../refusal.js'
import { redirect, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import type { LearningDone } from './learning-done.js'

export async function changeLearningState(visit: MemberVisit): Promise<RouteReply> {
  const state = LEARNING_STATES.find((one) => one === visit.form.get('state'))
  if (!state) throw invalid('Choose whether learning is on, paused or off.')
  return change(visit, { state }, state)
}

export async function changeControlShare(visit: MemberVisit): Promise<RouteReply> {
  const { min, max } = CONTROL_PERCENT
  const entered = visit.form.get('percent')?.trim() ?? ''
  const controlPercent = Number(entered)
  if (!/^\d+$/.test(entered) || controlPercent < min || controlPercent > max) {
    throw invalid(`The share of the control group is a whole number from ${min} to ${max}.`)
  }
  return change(visit, { controlPercent }, 'control-share')
}

export async function resetLearning(visit: MemberVisit): Promise<RouteReply> {
  return change(visit, { reset: true }, 'reset')
}

async function change(
  { services, session, form, act }: MemberVisit,
  learningChange: LearningChange,
  done: LearningDone,
): Promise<RouteReply> {
  const environment = ENVIRONMENTS.find((one) => one === form.get('environment'))
  if (!environment) throw invalid('The form does not name an environment.')
  const scope = { organizationId: session.organizationId, environment }
  await changeLearning(services, scope, learningChange, act)
  return redirect(`/portal/what-works?env=${environment}&done=${done}`)
}

function invalid(message: string): Refusal {
  return new Refusal(400, { title: 'Nothing was changed', message })
}
