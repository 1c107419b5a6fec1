// Facts that the processes of a deployment agree on, in the store that they share.

export interface DeploymentFacts {
  /** Records a fact unless there is one of the name; returns the recorded value. */
  recordOnce(name: string, value: string): Promise<string>
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}
