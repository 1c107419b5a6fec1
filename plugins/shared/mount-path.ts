// Mount paths: each provider has one root folder that contains everything mounted into a session (agent configuration
// 2.14).
import { posix } from 'node:path'
import type { Finding } from '../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'

export interface MountRoot {
  /** Canonical name, used in the code. */
  readonly provider: string
  /** Absolute path without a trailing slash: `/workspace`. */
  readonly root: string
  /** True if paths of repositories must be absolute; files may always be relative. */
  readonly isRepositoryPathAbsolute?: boolean
}

/** Returns the mount path: a relative path is resolved against the root; an absolute one is returned unchanged. */
export function mountPath(root: string, written: string): string {
  return written.startsWith('/') ? written : `${root}/${written.replace(/^(\.\/)+/, '')}`
}

/** Returns the normalised path, which is equal for `/data//a/./b/` and `a/b`. */
export function mountPlace(root: string, written: string): string {
  return posix.normalize(mountPath(root, written)).replace(/\/$/, '')
}

/** Returns why the path cannot be used, in one sentence; undefined if it can. */
export function mountPathProblem(root: string, written: string): string | undefined {
  if (written.startsWith('/') && !written.startsWith(`${root}/`))
    return `${written} is not below ${root}, where this provider mounts everything.`
  const names = mountPath(root, written)
    .slice(root.length + 1)
    .split('/')
  if (names.includes('..')) return `${written} has a .. in it, which could lead out of ${root}.`
  if (names.every((name) => name === '' || name === '.')) return `${written} is ${root} itself and not a path below it.`
  return undefined
}

/** Returns the rules for everything in agents and deployments that has a mount path. */
export function mountPathRules({
  provider,
  root,
  isRepositoryPathAbsolute = false,
}: MountRoot): readonly ProviderRule[] {
  const text = {
    code: `${provider}.mount-path`,
    severity: 'error',
    spec: '7.9',
    summary: 'A mount path is outside the mount root',
    fix: `Write a path relative to ${root}, or an absolute one that begins with ${root}/.`,
    phase: 'declaration',
  } as const
  const check = function* (paths: Iterable<Mounted>): Iterable<Finding> {
    for (const { at, written, isRepository } of paths) {
      const fault = mountPathProblem(root, written)
      if (fault !== undefined) yield { at, detail: fault }
      else if (isRepository && isRepositoryPathAbsolute && !written.startsWith('/'))
        yield {
          at,
          detail: `${written} is relative, but the mount path of a repository has to begin with ${root}/ here.`,
          fix: `Write ${mountPath(root, written)}.`,
        }
    }
  }
  return [
    rule<AgentBody>({ ...text, kind: 'agent', check: ({ declaration }) => check(agentMounts(declaration.body)) }),
    rule<DeploymentBody>({
      ...text,
      kind: 'deployment',
      check: ({ declaration }) => check(resourceMounts(declaration.body.resources)),
    }),
  ]
}

interface Mounted {
  readonly at: readonly (string | number)[]
  readonly written: string
  readonly isRepository: boolean
}

function* agentMounts({ files, resources }: AgentBody): Iterable<Mounted> {
  for (const [index, file] of (files ?? []).entries())
    if (typeof file !== 'string')
      yield { at: ['files', index, 'mount_path'], written: file.mount_path, isRepository: false }
  yield* resourceMounts(resources)
}

type Resources = AgentBody['resources'] | DeploymentBody['resources']

function* resourceMounts(resources: Resources): Iterable<Mounted> {
  for (const [index, resource] of (resources ?? []).entries())
    if (resource.type !== 'memory_store' && resource.mount_path !== undefined)
      yield {
        at: ['resources', index, 'mount_path'],
        written: resource.mount_path,
        isRepository: resource.type === 'git_repository',
      }
}
