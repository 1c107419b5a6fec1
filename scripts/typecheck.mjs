// Checks the types of every project. What was checked before is remembered, so that a change costs what it touches.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileTypes } from './compiler.mjs'

const folder = 'node_modules/.steward/types'
const projects = ['.', 'server/browser', 'examples/provider-plugin']

mkdirSync(folder, { recursive: true })
const codes = projects.map((project) => {
  const memory = join(folder, `${project.replaceAll(/\W/g, '-')}.tsbuildinfo`)
  return compileTypes(['-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', memory])
})
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
