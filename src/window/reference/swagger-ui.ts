/** Of CommonJS, which the build replaces by the script itself. */
declare const require: (name: string) => unknown;

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
    readonly createElement: (type: unknown, props: object | null, ...children: readonly unknown[]) => Element;
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
  readonly getComponent: (name: string, isContainer?: true) => unknown;
}

export type Show = (key: readonly string[], isShown: boolean) => unknown;

/** What wraps something gets the original. Selectors are called with the state first, and their originals without it. */
export interface Plugin {
  readonly components: Readonly<Record<string, Component>>;
  readonly wrapComponents: Readonly<Record<string, (original: Component) => Component>>;
  readonly statePlugins: {
    readonly spec: {
      readonly wrapSelectors: {
        readonly allowTryItOutFor: () => (state: unknown, path: string, method: string) => boolean;
      };
    };
    readonly layout: {
      readonly wrapActions: { readonly show: (original: Show) => Show };
      readonly wrapSelectors: {
        readonly isShown: (
          original: Show,
          system: System,
        ) => (state: unknown, key: readonly string[], otherwise: boolean) => unknown;
      };
    };
  };
  readonly fn: Partial<System['fn']> & {
    readonly opsFilter: (tagged: Collection, phrase: string) => Collection;
  };
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

/** Draws the reference into an element, and keeps it there. The package has no types; its page "Plugin API" tells of the names. */
export const drawSwaggerUi = require('swagger-ui-dist/swagger-ui-es-bundle.js') as (options: Options) => System;
