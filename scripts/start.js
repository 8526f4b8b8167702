import { prepare } from './prepare.js'

prepare()
const { main } = await import('../dist/main.js')
const serve = ['serve', '--end-with-parent', '--welcome']
await main(process.argv.length > 2 ? process.argv.slice(2) : serve)
