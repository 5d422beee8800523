import asyncHooks from 'node:async_hooks'

// Imported before `node:test`, which finds the test that an unhandled error belongs to by a hook that runs for every promise: a fourth
// of the processor time of a test that sends requests. AsyncLocalStorage finds the same test without a hook. In a version of Node
// whose runner does not use these functions, this has no effect.

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks

const running = new AsyncLocalStorage<number>()
let register: Parameters<typeof createHook>[0]['init']

/** A test, as the runner derives it from this class, or what another module derives from it. */
class Resource extends AsyncResource {
  constructor(type: string, options?: ConstructorParameters<typeof AsyncResource>[1]) {
    super(type, options)
    if (type === 'Test') register?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    run: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    const call = () => run.apply(thisArg as This, args)
    return super.runInAsyncScope(() => running.run(this.asyncId(), call))
  }
}

const functions = {
  AsyncResource: Resource,
  // The runner creates one hook, once it has all three functions; what is loaded later gets those of Node.
  createHook: ({ init }: Parameters<typeof createHook>[0]): ReturnType<typeof createHook> => {
    Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId })
    register = init
    return createHook({})
  },
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
}

Object.assign(asyncHooks, functions)
