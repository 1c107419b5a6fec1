// Accounts of one emulator: one of each provider, and one of each name below which a dialect is called.
import type { Disk } from '../../core/ports/disk.js'
import type { EmulatedApi, EmulatedProvider } from './contract.js'
import { Account } from './emulated-account.js'
import { Exchange, type Machinery } from './exchange.js'
import { Persistence } from './persistence.js'

export interface AccountsOptions {
  readonly environment: ConstructorParameters<typeof Account>[1]
  readonly disk: Disk
  /** Folder in which every object is stored. Absent: nothing is stored. */
  readonly dataFolder: string | undefined
  readonly machinery: () => Machinery
}

/** Form of names in addresses; a name is also that of a file in the data folder. */
const nameForm = /^[a-z][a-z0-9_-]{0,63}$/

export class Accounts {
  /** Accounts by provider. */
  readonly all = new Map<string, Account>()
  private readonly persistences = new Map<Account, Persistence>()
  private readonly opening = new Map<string, Promise<Account>>()
  private readonly exchanges = new Map<EmulatedApi, Exchange>()

  constructor(private readonly options: AccountsOptions) {}

  /** Returns the account of a provider or dialect, with what the data folder has of it. */
  open(description: EmulatedProvider): Promise<Account> {
    const { provider } = description
    const known = this.opening.get(provider) ?? this.load(description)
    this.opening.set(provider, known)
    return known
  }

  /**
   * Returns what answers requests to the API below `/name`, which is opened with the first one. Rejects for a name that
   * is no name, or that another API has.
   */
  async dialect(base: EmulatedProvider, name: string, prefix: string): Promise<Exchange> {
    if (!nameForm.test(name)) throw Object.assign(new Error(`${name}: not a name of a provider`), { statusCode: 404 })
    const account = await this.open(described(base, name))
    const api = account.description.apis.find((one) => one.prefix === `/${name}${prefix}`)
    if (!api) throw Object.assign(new Error(`${name} is another service here`), { statusCode: 404 })
    return this.exchange(account, api)
  }

  exchange(account: Account, api: EmulatedApi): Exchange {
    const known = this.exchanges.get(api) ?? new Exchange(account, api, this.options.machinery())
    this.exchanges.set(api, known)
    return known
  }

  /** Resolves when the changes of the account, or of all, are stored durably. */
  async saved(account?: Account): Promise<void> {
    const wanted = account === undefined ? [...this.persistences.values()] : [this.persistences.get(account)]
    await Promise.all(wanted.map((persistence) => persistence?.changesSaved()))
  }

  private async load(description: EmulatedProvider): Promise<Account> {
    const { environment, dataFolder, disk } = this.options
    const account: Account = new Account(description, environment, () => this.persistences.get(account)?.touch())
    const persistence =
      dataFolder === undefined
        ? undefined
        : new Persistence(disk, dataFolder, description.provider, () => account.store.snapshot())
    if (!(await persistence?.load(account.store))) account.reset()
    if (persistence) this.persistences.set(account, persistence)
    this.all.set(description.provider, account)
    return account
  }
}

function described(base: EmulatedProvider, name: string): EmulatedProvider {
  const service = base.dialect?.(name) ?? base
  return { ...service, provider: name, apis: service.apis.map((api) => ({ ...api, prefix: `/${name}${api.prefix}` })) }
}
