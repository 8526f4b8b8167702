import { render } from 'preact'
import type { PlaygroundProps } from '../pages/playground/playground-contract.js'
import { Playground } from './playground/playground.js'

const root = document.getElementById('playground')
if (root) {
  const props = JSON.parse(root.dataset.props ?? '') as PlaygroundProps
  render(<Playground props={props} />, root)
}
