// Between this header and end_driver_code.hpp, files of the driver are compiled for a model (model.hpp). Include
// headers that these files need, and whose atomics the model does not check, before this header.

#define std modelled_std
#define memory_order_relaxed MODEL_ORDER(relaxed)
#define memory_order_acquire MODEL_ORDER(acquire)
#define memory_order_release MODEL_ORDER(release)
#define memory_order_acq_rel MODEL_ORDER(acq_rel)
#define memory_order_seq_cst MODEL_ORDER(seq_cst)
