import type { Attack } from '../attack.js'

export const control: Attack = {
  name: 'control',
  describe: 'nothing, which shows the noise of the machine',
  start: () => () => {},
}
