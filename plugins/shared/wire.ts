// Reads members of responses, whose types are not guaranteed: a member of another type counts as missing.
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export const objectsOf = (value: Json | undefined): readonly JsonObject[] => arrayOf(value).filter(isObject)

export const textsOf = (value: Json | undefined): readonly string[] =>
  arrayOf(value).filter((item) => typeof item === 'string')
