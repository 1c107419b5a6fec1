// `agents emulate`: the APIs of all four providers on the loopback, for a command or until stopped.
import { once } from 'node:events'
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { problem } from '../line/problems.js'
import { Output } from '../render/output.js'
import { type Context, isTerminal } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const standardPort = 4750
const numberWithin = (lowest: number, highest: number) =>
  t.cascade(t.isNumber(), [t.isInInclusiveRange(lowest, highest)])
const wholeWithin = (lowest: number, highest: number) => t.cascade(numberWithin(lowest, highest), [t.isInteger()])

export class EmulateCommand extends Command<Context> {
  static override paths = [['emulate']]
  static override usage = Command.Usage({
    category: 'Local',
    description: 'Serve local emulators of all four providers',
    details:
      'With a command after --, runs it with STEWARD_EMULATOR set and returns its exit code; without one, serves\n' +
      'until Ctrl-C. Any key and any model are accepted; unknown fields and wrong verbs are refused like by the real\n' +
      'services. docs/emulator.md explains how to inspect objects, make drift and inject faults.',
    examples: [
      ['Plan any agents.yaml without an account', 'agents emulate -- agents plan'],
      ['Serve, and use it from another terminal', 'agents emulate & export STEWARD_EMULATOR=http://127.0.0.1:4750'],
      ['Let one request in five fail, always the same ones', 'agents emulate --fault-rate 0.2 --seed 7'],
    ],
  })

  port = Option.String('--port', {
    description: `Port on the loopback; 0 is any free one. Default ${standardPort}, with a command any free one.`,
    validator: wholeWithin(0, 65_535),
  })
  data = Option.String('--data', { description: 'Keep every object in this folder. Default: forget at the end.' })
  latencyMs = Option.String('--latency-ms', {
    description: 'Answer every request this much later. Default 0.',
    validator: numberWithin(0, 60_000),
  })
  faultRate = Option.String('--fault-rate', {
    description: 'Share of requests that fail with 429 or 500, from 0 to 1. Default 0.',
    validator: numberWithin(0, 1),
  })
  seed = Option.String('--seed', {
    description: 'Makes ids and faults repeatable.',
    validator: wholeWithin(0, 2 ** 31),
  })
  json = Option.Boolean('--json', false, { description: 'Print {"url": …} as the first line on stdout.' })
  command = Option.Rest({ name: '[-- COMMAND]' })

  override async execute(): Promise<number> {
    const { startEmulator } = await import('../../plugins/start-emulator.js')
    const { UnreadableData } = await import('../../plugins/emulator/persistence.js')
    const { holdFolder } = await import('../shared/emulator-folder.js')
    const held = this.data === undefined ? undefined : await holdFolder(this.data)
    const emulator = await startEmulator({
      port: this.port ?? (this.command.length > 0 ? 0 : standardPort),
      ...(this.data === undefined ? {} : { dataFolder: this.data }),
      ...(this.latencyMs === undefined ? {} : { latencyMs: this.latencyMs }),
      ...(this.faultRate === undefined ? {} : { faultRate: this.faultRate }),
      ...(this.seed === undefined ? {} : { seed: this.seed }),
    }).catch(async (error) => {
      await held?.release()
      throw error instanceof UnreadableData ? problem('cli.emulator-data', { detail: `${error.message}.` }) : error
    })
    try {
      this.announce(emulator.url)
      return this.command.length > 0 ? await this.runCommand(emulator.url) : await this.serve()
    } finally {
      await emulator.close()
      await held?.release()
    }
  }

  private announce(url: string): void {
    const output = new Output(this.context, { isJson: this.json })
    if (this.json) this.context.stdout.write(`${JSON.stringify({ url })}\n`)
    else if (this.command.length > 0) output.note(`Emulating all providers on ${url}`)
    else {
      output.print(`Emulating all providers on ${url}`)
      output.print(`  export STEWARD_EMULATOR=${url}`)
      output.note('Press Ctrl-C to stop.')
    }
  }

  private async runCommand(url: string): Promise<number> {
    const { runChild } = await import('../shared/child.js')
    return runChild(this.command, {
      env: { ...this.context.env, STEWARD_EMULATOR: url },
      sharesTerminal: isTerminal(this.context.stdin),
    })
  }

  /** Runs until stopped. Stopping is how a server ends, so it counts as success. */
  private async serve(): Promise<ExitCode> {
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    return exitCode.done
  }
}
