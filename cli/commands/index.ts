// Every command of the program.
import { ApplyCommand } from './apply.js'
import { CompletionCommand } from './completion.js'
import { DestroyCommand } from './destroy.js'
import { EmulateCommand } from './emulate.js'
import { GraphCommand } from './graph.js'
import { InitCommand } from './init.js'
import { PlanCommand } from './plan.js'
import { ProvidersCommand } from './providers.js'
import { SchemaCommand } from './schema.js'
import { StateListCommand } from './state-list.js'
import { StateMvCommand } from './state-mv.js'
import { StateRmCommand } from './state-rm.js'
import { StateShowCommand } from './state-show.js'
import { StateUnlockCommand } from './state-unlock.js'
import { ValidateCommand } from './validate.js'

export const commands = [
  InitCommand,
  ValidateCommand,
  PlanCommand,
  ApplyCommand,
  DestroyCommand,
  StateListCommand,
  StateShowCommand,
  StateMvCommand,
  StateRmCommand,
  StateUnlockCommand,
  GraphCommand,
  ProvidersCommand,
  SchemaCommand,
  EmulateCommand,
  CompletionCommand,
] as const
