/** What is used of Swagger UI, which has no types of its own (its page "Plugin API" tells of the names). */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** An element of React, made by the React that is inside. */
  export type Element = object | null;
  export type Component = (props: Readonly<Record<string, unknown>>) => Element;

  /** A map or a list of Immutable. */
  export interface Collection {
    get(name: string): unknown;
    getIn(path: readonly string[]): unknown;
    set(name: string, value: unknown): Collection;
    map(change: (value: Collection, name: string) => Collection): Collection;
    filter(isKept: (value: Collection, name: string) => boolean): Collection;
    forEach(visit: (value: Collection, name: string) => void): void;
    readonly size: number;
  }

  export interface Request {
    url: string;
    readonly loadSpec?: boolean;
    headers: Record<string, string>;
    userFetch?: typeof fetch;
  }

  export interface System {
    readonly React: {
      createElement(type: unknown, props: object | null, ...children: readonly unknown[]): Element;
    };
    readonly specActions: {
      updateJsonSpec(document: object): void;
      updateLoadingStatus(status: 'success'): void;
    };
    readonly specSelectors: { taggedOperations(): Collection };
    readonly layoutActions: {
      show(key: readonly string[], isShown: boolean): void;
      updateFilter(text: string | false): void;
      scrollToVirtualizedOperation(key: readonly string[]): void;
    };
    readonly layoutSelectors: { currentFilter(): string | false };
    readonly authActions: { authorize(values: Readonly<Record<string, object>>): void };
    readonly fn: {
      readonly opId: (operation: unknown, path: string, method: string) => string;
      readonly getSampleSchema: (schema: unknown, mediaType: unknown, options: unknown, example: unknown) => unknown;
    };
    getComponent(name: string, isContainer?: true): unknown;
  }

  /** Every function of a plugin gets the original that it wraps, and the system. */
  export interface Plugin {
    readonly components?: Readonly<Record<string, Component>>;
    readonly wrapComponents?: Readonly<Record<string, (original: Component, system: System) => Component>>;
    readonly statePlugins?: Readonly<
      Record<
        string,
        {
          readonly wrapActions?: Readonly<Record<string, (original: Function, system: System) => Function>>;
          readonly wrapSelectors?: Readonly<Record<string, (original: Function, system: System) => Function>>;
        }
      >
    >;
    readonly fn?: Readonly<Record<string, Function>>;
  }

  interface Options {
    readonly domNode: HTMLElement;
    readonly layout: string;
    readonly plugins: readonly ((system: System) => Plugin)[];
    readonly docExpansion: 'list' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly displayRequestDuration: boolean;
    readonly validatorUrl: null;
    readonly configs: { readonly logLevel: 'error' };
    readonly syntaxHighlight: { readonly theme: string };
    readonly requestInterceptor: (request: Request) => Request;
  }

  const SwaggerUI: (options: Options) => System;
  export default SwaggerUI;
}
