// The official client, connected to the emulator.
import Anthropic, { toFile } from '@anthropic-ai/sdk'
import type { Test } from 'tap'
import { type Made, type Resource, resources } from './sdk-samples.js'
import { openClaude } from './subject.js'

export async function clientOf(t: Test) {
  const bench = await openClaude(t)
  const client = new Anthropic({ apiKey: 'any', baseURL: `${bench.emulator.url}/claude`, maxRetries: 0 })
  return { bench, beta: client.beta, client }
}
export type Beta = Awaited<ReturnType<typeof clientOf>>['beta']

export const rowsOf = async <Row>(pages: AsyncIterable<Row>): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for await (const row of pages) rows.push(row)
  return rows
}

/** Makes what sessions and deployments refer to. */
export async function furnished(beta: Beta): Promise<Made> {
  const agent = await beta.agents.create({ name: 'a', model: 'claude-opus-5' })
  const environment = await beta.environments.create({ name: 'dev', config: { type: 'cloud' } })
  const vault = await beta.vaults.create({ display_name: 'keys' })
  const file = await beta.files.upload({ file: await toFile(Buffer.from('a'), 'a.csv') })
  const store = await beta.memoryStores.create({ name: 'notes' })
  const mounts: Resource[] = Object.values(resources(file.id, store.id))
  return { agentId: agent.id, environmentId: environment.id, vaultId: vault.id, mounts }
}
