// Reading members of answers, whose types nobody promises: what has another type counts as absent.
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export const objectsOf = (value: Json | undefined): readonly JsonObject[] => arrayOf(value).filter(isObject)

export const textsOf = (value: Json | undefined): readonly string[] =>
  arrayOf(value).filter((item) => typeof item === 'string')
