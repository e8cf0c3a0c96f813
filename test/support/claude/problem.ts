export type ApiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'billing_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'api_error'
  | 'overloaded_error';

/** Why the API refuses a request, in its own words. */
export interface ApiProblem {
  readonly status: number;
  readonly type: ApiErrorType;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The usual refusal: 400, with the place in front of the sentence. */
export function invalid(path: string, message: string): ApiProblem {
  return {
    status: 400,
    type: 'invalid_request_error',
    message: path === '' ? message : `${path}: ${message}`,
  };
}

/** The body that goes with every refusal, and inside a stream's `error` event. */
export function errorBody(problem: Omit<ApiProblem, 'status'>, requestId?: string): string {
  const { type, message, details } = problem;
  return JSON.stringify({
    type: 'error',
    error: { type, message, ...(details && { details }) },
    ...(requestId !== undefined && { request_id: requestId }),
  });
}

/** The error type that the API pairs with a status code. */
export function errorTypeOf(status: number): ApiErrorType {
  const types: Readonly<Record<number, ApiErrorType>> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    402: 'billing_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    504: 'timeout_error',
    529: 'overloaded_error',
  };
  return types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
