// Operations that apply a single op as one change, derived from the contracts of the ops.
import { type TObject, type TSchema, Type } from 'typebox'
import { type Op, opContracts } from '../../workers/contract/ops/index.js'
import type { OpContract, OpRoute } from '../../workers/contract/ops/op-contract.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import { strict } from '../../workers/contract/strict.js'
import { writeOne } from '../changes/write-one.js'
import { annotationRefOf } from '../documents/annotation-key.js'
import { type Input, type Operation, operation } from '../operation/operation.js'
import { AnnotationPath, FieldPath, fieldRefOf, LayerPath, objectNumberOf, PagePath } from '../schemas/ids.js'

export const opRoutes: readonly Operation[] = opContracts.flatMap((contract) => {
  const { route } = contract
  return route === undefined ? [] : route.methods.map((method, index) => opRoute(contract, { ...route, method, index }))
})

interface OneMethod extends OpRoute {
  readonly method: OpRoute['methods'][number]
  readonly index: number
}

function opRoute(contract: OpContract, route: OneMethod): Operation {
  const { type, summary, needs, files, item } = contract
  const { method, index, path, query, isBodyOptional, bodyOfLoneFile, fileTypes, omitted = [] } = route
  const body = bodySchemaOf(contract, route)
  return operation({
    name: index === 0 ? `doc.${type}` : `doc.${type}.${method.toLowerCase()}`,
    summary,
    plane: 'document',
    method,
    path: `/v1/docs/:docId/layers/:layerName${path}`,
    authority: {
      kind: 'document',
      capabilities: needs.capabilities,
      ...(needs.collab && { orCollab: needs.collab }),
      ...(needs.besides && { besides: needs.besides }),
    },
    input: { params: pathSchemaOf(path), ...(query && { query }), ...(body && { body }) },
    ...(isBodyOptional && { isBodyOptional }),
    ...(files && { resources: true }),
    ...(bodyOfLoneFile && { bodyOfLoneFile }),
    ...(fileTypes && { fileTypes }),
    isChange: true,
    answer: without(item, ['type', ...undoMembersOf(item), ...omitted]),
    handle: (input, context) => writeOne(context, opOf(contract, route, input)),
  })
}

/** Returns the members that only answers to an undo have: an op that always answers `skipped` means something else. */
function undoMembersOf({ required = [] }: { readonly required?: readonly string[] }): readonly string[] {
  return required.includes('skipped') ? [] : ['skipped']
}

function pathSchemaOf(path: string): TObject {
  if (path.includes(':fieldKey')) return FieldPath
  if (path.includes(':annotKey')) return AnnotationPath
  return path.includes(':pageKey') ? PagePath : LayerPath
}

function bodySchemaOf({ op }: OpContract, { body, named = '' }: OpRoute): TSchema | undefined {
  if (body === null) return undefined
  return body?.schema ?? without(op, ['type', 'expect', named], strict)
}

function without({ properties }: TObject, names: readonly string[], options = {}): TObject {
  return Type.Object(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))), options)
}

/** Returns the op of a request. The input matches the schemas above, which are those of the op, member by member. */
function opOf({ type }: OpContract, { body: shape, named }: OpRoute, input: Input<unknown, unknown, unknown>): Op {
  const { params, query, body } = input
  const members = shape ? shape.members(body) : body
  const op = { type, ...(named && { [named]: namedBy(Object(params)) }), ...Object(members), ...Object(query) }
  return op as Op
}

/** Returns the members of the op that name the object in the path. */
function namedBy({ pageKey, annotKey, fieldKey }: Readonly<Record<string, string>>): object {
  if (fieldKey !== undefined) return fieldRefOf(fieldKey)
  if (pageKey === undefined) throw new Error('The path names no page, annotation or field')
  return annotKey === undefined ? pageRef(objectNumberOf(pageKey)) : annotationRefOf(pageKey, annotKey)
}
