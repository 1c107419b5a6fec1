// Bus topic of imports that are due. Workers also search for them at intervals.
export const importTopic = 'imports'
