import { prepare } from './prepare.js'

prepare()
const { main } = await import('../dist/main.js')
await main(process.argv.length > 2 ? process.argv.slice(2) : ['serve', '--end-with-parent'])
