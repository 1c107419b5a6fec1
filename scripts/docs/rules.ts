// The rules of the agent configuration by number, in our own words. docs/rules.md is made of them and of the tests.

export interface Rule {
  readonly section: string
  /** Number of the rule as in titles of tests. */
  readonly id: string
  /** Text of the rule in one or two sentences. */
  readonly says: string
}

const section = (title: string, says: Readonly<Record<string, string>>): readonly Rule[] =>
  Object.entries(says).map(([id, text]) => ({ section: title, id, says: text }))

export const rules: readonly Rule[] = [
  ...section('1 and 2.1 The file', {
    '1.1':
      'Variables come from the environment or from the nearest `.env` up to the root of the project; `init` keeps `.env` and state out of git.',
    '2.1':
      'The file has a version, providers, defaults and one section for each kind. A pin wins over `defaults.provider`, and `all` is every declared provider.',
  }),
  ...section('2.2 to 2.4 Identities, channels, managed tools', {
    '2.2':
      'An identity is either managed by `external_id` or refers to an existing one by `identity_id`, which is verified and never changed.',
    '2.3':
      'A fixed channel binds one forward agent and one identity, a pairing channel neither. Types, credentials and options are the provider’s.',
    '2.4.1': 'A declared list of managed tools replaces the whole set; an empty one turns all of them off.',
    '2.4.2': 'Without a declaration nothing about managed tools is sent, so the remote template keeps what it had.',
    '2.4.3': 'A template that is made again has no managed tools unless they are declared.',
    '2.4.4': 'Managed tools need forward delivery.',
  }),
  ...section('2.5 to 2.7 Environments, tunnels, vaults', {
    '2.5':
      'An environment is described or refers to an existing one. Packages, networks, setup scripts and self-hosting are what each provider has of them.',
    '2.6': 'A tunnel exists already and is only handed to sessions; agents name one on P-B alone.',
    '2.7':
      'Credentials are bearer tokens or environment variables. Host limits are never widened, secrets never shown, and what a provider has no word for is said.',
  }),
  ...section('2.8 Memory stores', {
    '2.8': 'Memory stores have a name, a description, metadata and entries, within the limits of each provider.',
    '2.8.1': 'With `initialize`, entries are written into a new store once; stores that exist keep their content.',
    '2.8.2': 'With `sync`, declared paths are kept as declared, and memories of others stay.',
    '2.8.P1': 'P-A: the display name is no identity; without a recorded id a new store is made.',
    '2.8.P2':
      'P-A: an existing store is managed after an import, which checks that it exists, is active and is bound nowhere else.',
    '2.8.P3': 'P-A: name, description and the declared keys of the metadata are managed; other keys stay.',
    '2.8.P4': 'P-A: with `sync`, declared paths are compared by digest, and state holds digests alone.',
    '2.8.P5':
      'P-A: pending entries are recorded before they are written. A run that was interrupted is resumed with the same content, and the store is not mounted until then.',
    '2.8.P6': 'P-A: a store that is no longer declared is archived for good; the name then makes a new one.',
  }),
  ...section('2.9 to 2.12 Skills, files, agents', {
    '2.9': 'A skill is a folder with a SKILL.md.',
    '2.10': 'A file is uploaded under the base name of its source.',
    '2.11':
      'An agent has a model for each provider and instructions, inline or from a file; tools are compared without case and separators, and what it mounts follows its delivery.',
    '2.12':
      'P-B: the default memory store of a forward agent is named once a session has made it. It outlives a destroy unless declared otherwise; clean-up that cannot finish stays in state.',
  }),
  ...section('2.13 and 2.14 MCP toolkits, session resources', {
    '2.13':
      'A toolkit enables tools of one MCP server, all of them or the named ones; two keys have camel-case aliases.',
    '2.14':
      'Sessions mount stores, repositories and files below the mount root of the provider; an explicit resource wins over the shorthand for the same store.',
  }),
  ...section('2.15 Coordinators', {
    '2.15': 'A coordinator names other agents, and what a provider cannot do with them is said.',
    '2.15.1': 'A name is an agent of the project; `{ agent_id }` is somebody else’s, and is never changed.',
    '2.15.2': 'P-B: a forward roster has no external members.',
    '2.15.3': 'Members of the project are neither the coordinator itself nor coordinators, and rosters form no circle.',
    '2.15.4': 'A roster has at most twenty members.',
    '2.15.5': 'P-B: a coordinator and its members are delivered alike.',
    '2.15.6': 'Versions of members are not declared; they follow in the way of each provider.',
    '2.15.7': 'A roster that is no longer declared is cleared at the provider.',
    '2.15.8':
      'P-A: members work at the same time in one file system; who owns which file is for the instructions to say, which reach every member unchanged.',
    '2.15.9': 'Self members, advisors, versions of members, external templates and threads have no words in the file.',
    '2.15.10':
      '`sync` gives members of the project their names back, keeps others as ids, and leaves the file alone where a member cannot be told.',
  }),
  ...section('2.16 Deployments', {
    '2.16':
      'A deployment runs an agent with initial events, perhaps on a five-field schedule. Variables, resources and tunnels are what each provider takes; the rest is refused or said.',
  }),
  ...section('3 and 5 Transitions, credentials of providers', {
    '3.1':
      'A new memory store is pending until its entries are written; system stores wait for a session, and clean-up that stays is resumed.',
    '5.1': 'Each provider has its own block of credentials, checked against its own schema.',
    '5.2': 'Secrets are written as variables; one in clear is warned of.',
  }),
  ...section('7 What is refused', {
    '7.1': 'An external environment whose line is removed without a release is an ownership error.',
    '7.2':
      'P-B: other packages than apt, npm and pip, and other settings of a self-hosted environment. Elsewhere: setup scripts.',
    '7.3': 'A setup script that fails keeps the session from starting, so it reaches the provider whole.',
    '7.4': 'Permissions of unknown tools, or two for one tool.',
    '7.5': 'Managed tools without forward delivery.',
    '7.6':
      'A default memory store without forward delivery or default identity, and its deletion with an external identity.',
    '7.7':
      'Rosters with itself, with coordinators, in a circle, with more than twenty members, with external members of forward delivery, or with mixed delivery.',
    '7.8':
      'P-A: a store mounted twice, more than eight stores, long instructions, a mount path of a store, stores that are not applied, stores of deployments, changed pending entries, imports of missing, inactive or bound stores.',
    '7.9': 'Absolute mount paths outside the root; on P-B, repositories outside `/data/`.',
    '7.10': 'A fixed channel of an agent that is not delivered forward.',
    '7.11': '`sync` with ambiguous members.',
    '7.12': 'Refusals that no retry can change, during the first look of a destroy.',
  }),
  ...section('8 and 9 Limits, versions', {
    '8.1': 'P-B: a setup script has at most 64 KB of UTF-8.',
    '8.2':
      'P-B: a setup script may run for ten minutes, which is the provider’s to enforce; nothing here cuts it short.',
    '8.3': 'A roster has at most twenty members.',
    '8.4': 'P-A: a session mounts at most eight distinct stores.',
    '8.5': 'Instructions for a mounted store have at most 4096 characters.',
    '8.6': 'P-B: the name of a default memory store has 1 to 255 characters.',
    '8.7': 'P-B: its description has at most 1024 characters.',
    '8.8': 'A deployment has 1 to 50 initial events.',
    '8.9': 'An outcome is tried at most 1 to 20 times.',
    '8.10': 'A schedule is a cron expression with five fields.',
    '9.1': 'The version of the file is the text 1; `agent_version` pins an agent in a deployment.',
  }),
]
