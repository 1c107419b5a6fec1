// Simulates deployments from the measured figures, and prints the tables of docs/scaling.md.
//
//   node --import ./scripts/typescript.mjs bench/scaling/simulate.mjs [--units 1,10] [--write]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seededDraw } from '../../test/cluster/seeded-draw.ts'
import { placements, planFor } from './plan.mjs'
import { process as machine } from './workload.mjs'

const { values } = parseArgs({
  options: { units: { type: 'string', default: '1,10,100,1000' }, write: { type: 'boolean', default: false } },
})
const figures = JSON.parse(readFileSync(new URL('figures.json', import.meta.url), 'utf8'))
const page = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url))
const draw = seededDraw(1)
const random = () => draw(2 ** 30) / 2 ** 30
const number = (value) =>
  value < 10 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value).toLocaleString('en')
const percent = (value) => `${Math.round(100 * value)} %`

const tables = [costs(), ...deployments()].join('\n\n')
if (values.write) writeFileSync(page, withTables(readFileSync(page, 'utf8')))
else console.log(tables)

function costs() {
  const names = {
    cachedPicture: 'Picture of a page, cached',
    drawnPicture: 'Picture, drawn from an open document',
    openedDocument: 'Picture of a document that is opened for it, file fetched',
    change: 'Change',
    upload: 'Upload through the server',
  }
  const rows = Object.entries(names).map(([name, title]) => {
    const { serverMs, databaseMs, redisMs, databaseLogBytes } = figures[name]
    return [title, serverMs, databaseMs, redisMs, (databaseLogBytes / 1000).toFixed(1)]
  })
  return table(['Request', 'Server, ms', 'PostgreSQL, ms', 'Redis, ms', 'Log of PostgreSQL, kB'], rows)
}

function deployments() {
  const plans = values.units
    .split(',')
    .flatMap((units) =>
      Object.keys(placements).map((placement) => planFor(Number(units), placement, { figures, random })),
    )
  const best = plans.filter(({ placement }) => placement === 'spread')
  return [
    table(
      [
        'Requests a second',
        'Placement',
        'Processes',
        'Pictures from cache',
        'Mean use',
        'Busiest process',
        'Fetches a second',
      ],
      plans.map((plan) => [
        number(plan.rate),
        placements[plan.placement],
        number(plan.processes),
        percent(plan.cachedShare),
        percent(plan.meanUse),
        percent(plan.busiestUse),
        number(plan.fetches),
      ]),
    ),
    cacheSizes(best.at(-1)),
    table(
      [
        'Requests a second',
        'Databases (16 cores)',
        'Their log, MB/s',
        'Redis, cores',
        'Answers, MB/s',
        'New files a month, TB',
      ],
      best.map((plan) => [
        number(plan.rate),
        number(plan.databases),
        number(plan.logMegabytes),
        plan.redisCores.toFixed(2),
        number(plan.answeredMegabytes),
        number(plan.newTerabytesOfMonth),
      ]),
    ),
    table(
      ['Requests a second', 'Processes, $', 'Databases, $', 'Object store, $', 'A million requests, $'],
      best.map(({ rate, dollarsOfMonth: { processes, databases, objects } }) => [
        number(rate),
        ...[processes, databases, objects].map(number),
        ((1e6 * (processes + databases + objects)) / (rate * 730 * 3600)).toFixed(2),
      ]),
    ),
  ]
}

/** Shows what larger caches of pictures would save the largest deployment. */
function cacheSizes(largest) {
  const units = Number(values.units.split(',').at(-1))
  const larger = machine.largerCachesBytes.map((cachedBytes) =>
    planFor(units, largest.placement, { figures, random, cachedBytes }),
  )
  const plans = [largest, ...larger]
  return table(
    [
      'Cache of pictures of a process',
      'Pictures from cache',
      `Processes for ${number(plans[0].rate)} requests a second`,
    ],
    plans.map((plan) => [
      `${number(plan.cachedBytes / 1024 ** 2)} MiB`,
      percent(plan.cachedShare),
      number(plan.processes),
    ]),
  )
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Replaces each table of the page by the simulated one in its place. */
function withTables(text) {
  const fresh = tables.split('\n\n')
  let index = 0
  return text.replace(
    /(<!-- simulated -->\n\n)[\s\S]*?(\n\n<!-- end -->)/g,
    (_, begin, end) => `${begin}${fresh[index++]}${end}`,
  )
}
